import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { cursorPaginated, cursorParameter } from '#shared/http/lists/pagination.ts';
import { ConnectLinkView } from '#shared/http/views/connect-link.ts';
import { page } from '#shared/scopes/scope.ts';

export const contract = defineEndpoint({
  id: 'list-connect-links',
  method: 'GET',
  path: '/connect-links',
  tag: 'Connect links',
  summary: 'List connect links',
  description:
    'Newest created first, with those that ended in the last 60 days. Addresses and secrets are never included.',
  auth: 'manage',
  query: z.strictObject({
    cursor: cursorParameter('`page.next_cursor` of an earlier answer. Absent: the newest links.'),
    limit: page.limit,
  }),
  responses: { 200: cursorPaginated(ConnectLinkView) },
  errors: [],
  needs: ['table:read'],
});

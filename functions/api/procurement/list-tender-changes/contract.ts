import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { cursorParameter } from '#shared/http/lists/pagination.ts';
import { Feed } from '#shared/http/views/change.ts';
import { TenderChangeView } from '#shared/http/views/tender-change.ts';
import { page } from '#shared/scopes/scope.ts';

export const contract = defineEndpoint({
  id: 'list-tender-changes',
  method: 'GET',
  path: '/procurement/changes',
  tag: 'Public procurement',
  summary: 'List what changed in tenders since a cursor',
  description:
    'Tenders of which a connection of the organization stored something new since the cursor, by tender, scope and ' +
    'connection; without a cursor all of them. A change says what to read again: the tender, or its list of the scope, ' +
    'as they are served over all connections. `connection_deleted` says that everything the connection had read is deleted: ' +
    'read the tenders again that you know. Each change comes at least once; of several changes of one tender, scope and ' +
    'connection only the last one is listed. Keep `feed.next_cursor` together with what you read, and continue with it.',
  auth: 'key',
  query: z.strictObject({
    cursor: cursorParameter('`feed.next_cursor` of an earlier answer of this path.'),
    limit: page.limit,
  }),
  responses: { 200: z.object({ data: z.array(TenderChangeView), feed: Feed }) },
  errors: ['cursor_expired'],
  needs: ['table:read'],
});

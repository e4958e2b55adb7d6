import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { cursorParameter } from '#shared/http/lists/pagination.ts';
import { Feed } from '#shared/http/views/change.ts';
import { OrganizationChangeView } from '#shared/http/views/organization-change.ts';
import { page } from '#shared/scopes/scope.ts';

export const contract = defineEndpoint({
  id: 'list-organization-changes',
  method: 'GET',
  path: '/changes',
  tag: 'Changes',
  summary: 'List which connections have changes since a cursor',
  description:
    'Scopes of all connections of the organization that have changes since the cursor; without a cursor every scope ' +
    'that ever had one. Of several changes of one scope only the last is listed, so a poll of any number of idle ' +
    'connections is one request. Read the feed at `path` to its end, with the cursor that you keep for that feed, and ' +
    'only then keep `feed.next_cursor` of this path. No change is omitted; a scope may be listed again. ' +
    '`connection_deleted` says that the connection and its rows are deleted: drop your copy. `tenders_changed` is ' +
    'listed for API keys, because only they may read `/procurement/changes`. There is no defined order.',
  auth: 'read',
  query: z.strictObject({
    cursor: cursorParameter('`feed.next_cursor` of an earlier answer of this path.'),
    limit: page.limit,
  }),
  responses: { 200: z.object({ data: z.array(OrganizationChangeView), feed: Feed }) },
  errors: ['cursor_expired'],
  needs: ['table:read'],
});

import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { cursorParameter } from '#shared/http/lists/pagination.ts';
import { CHANGED_SCOPES, ChangeView, Feed } from '#shared/http/views/change.ts';
import { page } from '#shared/scopes/scope.ts';

export const contract = defineEndpoint({
  id: 'list-changes',
  method: 'GET',
  path: '/connections/{id}/changes',
  tag: 'Changes',
  summary: 'List what changed since a cursor',
  description:
    "Rows of the connection's lists that were created, updated or deleted since the cursor; without a cursor every row. " +
    'Each change comes at least once, and names the row by `id`: store a created or updated one over what you have, and ' +
    'remove a deleted one, in the order in which they come. Then your copy is what the lists show. Keep ' +
    '`feed.next_cursor` together with the copy and continue with it, at once while `feed.has_more` is true, or at the ' +
    'next event of a sync. A page may have fewer changes than `limit`, even none, although more follow. There is no ' +
    'defined order across ids and scopes. Cursors expire only when the service was restored to an earlier time: after ' +
    '`cursor_expired`, start again without a cursor and with an empty copy.',
  auth: 'read',
  params: { id: { unknown: 'connection_not_found' } },
  query: z.strictObject({
    scope: z.enum(CHANGED_SCOPES).optional().describe('Only changes of this scope. A cursor belongs to its scope.'),
    cursor: cursorParameter('`feed.next_cursor` of an earlier answer for the same connection and scope.'),
    limit: page.limit,
  }),
  responses: { 200: z.object({ data: z.array(ChangeView), feed: Feed }) },
  errors: ['connection_not_found', 'scope_not_found', 'cursor_expired'],
  needs: ['table:read'],
});

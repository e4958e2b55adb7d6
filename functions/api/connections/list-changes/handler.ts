import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { refuseCursor } from '#shared/http/response/refuse-cursor.ts';
import { toChange } from '#shared/http/views/change.ts';
import { readChanges } from '#shared/rows/read-changes.store.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, async ({ caller, params, query }) => {
  const { scope = null, cursor = null, limit } = query;
  const { organizationId } = caller;
  const request = { organizationId, connectionId: params.id, filter: scope, cursor, limit };
  const page = await readChanges(request).catch(refuseCursor);
  if (!page) throw notFound('connection_not_found');
  const { changes, nextCursor, hasMore } = page;
  return { status: 200, body: { data: changes.map(toChange), feed: { next_cursor: nextCursor, has_more: hasMore } } };
});

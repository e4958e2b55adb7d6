import { endpoint } from '#shared/http/endpoint.ts';
import { findChanges } from '#shared/http/lists/changes.ts';
import { toChange } from '#shared/http/views/change.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, async ({ caller, params, query }) => {
  const { scope = null, cursor = null, limit } = query;
  const { organizationId } = caller;
  const { changes, nextCursor, hasMore } = await findChanges({
    organizationId,
    connectionId: params.id,
    filter: scope,
    cursor,
    limit,
  });
  return { status: 200, body: { data: changes.map(toChange), feed: { next_cursor: nextCursor, has_more: hasMore } } };
});

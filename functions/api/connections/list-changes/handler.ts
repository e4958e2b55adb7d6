import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import { toChange } from '#shared/http/views/change.ts';
import { CursorExpired, CursorUnreadable } from '#shared/rows/change-cursor.rules.ts';
import { type ChangesPage, type ChangesRequest, readChanges } from '#shared/rows/read-changes.store.ts';
import { contract } from './contract.ts';

const answerable = (error: unknown): never => {
  if (error instanceof CursorUnreadable)
    throw new ApiError('validation_error', `cursor: ${error.message}`, { cause: error });
  if (error instanceof CursorExpired)
    throw new ApiError('cursor_expired', 'The service was restored: start over without a cursor.', { cause: error });
  throw error;
};

const read = async (request: ChangesRequest): Promise<ChangesPage> => {
  const found = await readChanges(request).catch(answerable);
  if (!found) throw notFound('connection_not_found');
  return found;
};

export const handler = endpoint(contract, async ({ caller, params, query }) => {
  const { scope = null, cursor = null, limit } = query;
  const { organizationId } = caller;
  const { changes, nextCursor, hasMore } = await read({
    organizationId,
    connectionId: params.id,
    filter: scope,
    cursor,
    limit,
  });
  return { status: 200, body: { data: changes.map(toChange), feed: { next_cursor: nextCursor, has_more: hasMore } } };
});

/** Reads the changes of a connection and turns internal errors into API errors. */
import { notFound } from '#shared/http/response/errors.ts';
import { refuseCursor } from '#shared/http/response/refuse-cursor.ts';
import { type ChangesPage, type ChangesRequest, readChanges } from '#shared/rows/read/read-changes.store.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';

const TENDERS = 'Tenders belong to the organization, not to a connection. Their changes: /api/procurement/changes.';

/**
 * Refuses a feed that can never have a change, which would look like a connection without rows.
 *
 * @throws ApiError 404 `scope_not_found`
 */
const refuseEmptyFeed = (source: string, filter: string | null): void => {
  const scopes = SCOPES.filter((scope) => scope.source === source && scope.resource !== null).map(({ name }) => name);
  if (scopes.length === 0) throw notFound('scope_not_found', TENDERS);
  if (filter !== null && !scopes.includes(filter))
    throw notFound('scope_not_found', `This connection is of ${source}. Its scopes: ${scopes.join(', ')}.`);
};

/** @throws ApiError 404 for an unknown or foreign connection or a foreign scope, and validation errors of the cursor */
export const findChanges = async (request: ChangesRequest): Promise<ChangesPage> => {
  const found = await readChanges(request).catch(refuseCursor);
  if (!found) throw notFound('connection_not_found');
  refuseEmptyFeed(found.connection.source, request.filter);
  return found;
};

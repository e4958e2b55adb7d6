/** The changes of a connection, with errors as callers meet them. */
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import { CursorExpired, CursorUnreadable } from '#shared/rows/change-cursor.rules.ts';
import { type ChangesPage, type ChangesRequest, readChanges } from '#shared/rows/read-changes.store.ts';

const answerable = (error: unknown): never => {
  if (error instanceof CursorUnreadable)
    throw new ApiError('validation_error', `cursor: ${error.message}`, { cause: error });
  if (error instanceof CursorExpired)
    throw new ApiError('cursor_expired', 'The service was restored: start over without a cursor.', { cause: error });
  throw error;
};

/** Throws 404 for an unknown or foreign connection, and findings about the cursor. */
export const findChanges = async (request: ChangesRequest): Promise<ChangesPage> => {
  const found = await readChanges(request).catch(answerable);
  if (!found) throw notFound('connection_not_found');
  return found;
};

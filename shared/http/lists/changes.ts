/** Reads the changes of a connection and turns internal errors into API errors. */
import { notFound } from '#shared/http/response/errors.ts';
import { refuseCursor } from '#shared/http/response/refuse-cursor.ts';
import { type ChangesPage, type ChangesRequest, readChanges } from '#shared/rows/read/read-changes.store.ts';

/** @throws ApiError 404 for an unknown or foreign connection, and validation errors of the cursor */
export const findChanges = async (request: ChangesRequest): Promise<ChangesPage> => {
  const found = await readChanges(request).catch(refuseCursor);
  if (!found) throw notFound('connection_not_found');
  return found;
};

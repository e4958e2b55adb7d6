/** Throws API errors for a cursor that is invalid, or that was issued before the table was restored. */
import { CursorExpired, CursorUnreadable } from '#shared/rows/item/change-cursor.rules.ts';
import { ApiError } from './errors.ts';

export const refuseCursor = (error: unknown): never => {
  if (error instanceof CursorUnreadable)
    throw new ApiError('validation_error', `cursor: ${error.message}`, { cause: error });
  if (error instanceof CursorExpired)
    throw new ApiError('cursor_expired', 'The service was restored: start over without a cursor.', { cause: error });
  throw error;
};

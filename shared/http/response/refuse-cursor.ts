/** What a reader of changes is answered whose cursor is none, or is one of before a restore. */
import { CursorExpired, CursorUnreadable } from '#shared/rows/item/change-cursor.rules.ts';
import { ApiError } from './errors.ts';

export const refuseCursor = (error: unknown): never => {
  if (error instanceof CursorUnreadable)
    throw new ApiError('validation_error', `cursor: ${error.message}`, { cause: error });
  if (error instanceof CursorExpired)
    throw new ApiError('cursor_expired', 'The service was restored: start over without a cursor.', { cause: error });
  throw error;
};

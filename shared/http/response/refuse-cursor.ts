/** Throws API errors for a cursor that is invalid, or that was issued before the table was restored. */
import { CursorExpired, CursorUnreadable } from '#shared/rows/item/change-cursor.rules.ts';
import { ApiError } from './errors.ts';

const BEGIN = 'Send the next_cursor of an earlier answer of this path, or none to begin.';

/** @param finding rule that the cursor breaks, e.g. "is not a cursor of this path" */
export const invalidCursor = (finding: string, cause?: unknown): ApiError =>
  new ApiError('validation_error', `cursor ${finding}. ${BEGIN}`, { cause });

export const refuseCursor = (error: unknown): never => {
  if (error instanceof CursorUnreadable) throw invalidCursor(error.message, error);
  if (error instanceof CursorExpired)
    throw new ApiError('cursor_expired', 'The service was restored: start over without a cursor.', { cause: error });
  throw error;
};

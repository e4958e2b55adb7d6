/** Pages of lists in the order of ids, newest first. The cursor is the id of the last item of a page. */
import { invalidCursor } from '#shared/http/response/refuse-cursor.ts';
import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';
import { UUID_PATTERN } from '#shared/values/fields.ts';

/**
 * Returns the id before which the page begins, or null for the first page.
 *
 * @throws ApiError 400
 */
export const idBefore = (cursor: string | undefined): string | null => {
  if (cursor === undefined) return null;
  const parts = cursorParts(cursor);
  const id: unknown = Array.isArray(parts) && parts.length === 1 ? parts[0] : undefined;
  if (typeof id !== 'string' || !UUID_PATTERN.test(id)) throw invalidCursor('is not a cursor of this path');
  return id;
};

export const toIdPage = (items: readonly { id: string }[], { limit, hasMore }: { limit: number; hasMore: boolean }) => {
  const last = items.at(-1);
  return { limit, has_more: hasMore, next_cursor: hasMore && last !== undefined ? cursorText([last.id]) : null };
};

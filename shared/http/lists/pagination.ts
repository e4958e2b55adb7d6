/** Pages by offset (service.md "Envelopes"). */
import * as z from 'zod';
import { HTTP_LIMITS } from '#shared/http/limits.ts';

export const Pagination = z
  .object({
    total: z.int().min(0).describe('Exact number of rows that match the filter.'),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean().describe('True when offset + number of items returned < total.'),
  })
  .meta({ id: 'Pagination' });

/** Parameter with the cursor of an earlier answer. */
export const cursorParameter = (description: string) =>
  z.string().min(1).max(HTTP_LIMITS.cursorCharsMax).optional().describe(description);

export const paginated = <S extends z.ZodType>(item: S) => z.object({ data: z.array(item), pagination: Pagination });

export const toPage = <T>(data: T[], total: number, limit: number, offset: number) => ({
  data,
  pagination: { total, limit, offset, has_more: offset + data.length < total },
});

/** Pages by cursor, for lists that have no exact total. */
export const CursorPage = z
  .object({
    limit: z.int(),
    has_more: z.boolean().describe('True if older items follow.'),
    next_cursor: z.string().nullable().describe('Cursor of the next page. Null on the last page.'),
  })
  .meta({ id: 'CursorPage' });

export const cursorPaginated = <S extends z.ZodType>(item: S) => z.object({ data: z.array(item), page: CursorPage });

/** Reads a list that arrives in pages, each with the cursor of the next one. */
import { useInfiniteQuery } from '@tanstack/react-query';

const PAGE_SIZE = 50;

interface CursorPage {
  page: { next_cursor: string | null };
}

export interface PageQuery {
  limit: number;
  cursor?: string;
}

export const usePages = <Answer extends CursorPage>(
  queryKey: readonly string[],
  readPage: (query: PageQuery, signal: AbortSignal) => Promise<Answer>,
) =>
  useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      readPage({ limit: PAGE_SIZE, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, signal),
    getNextPageParam: ({ page }) => page.next_cursor ?? undefined,
  });

/** Reads the rows of a page. If the rows are sorted by a column, all filtered rows are read and sorted in the browser. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Column } from './columns/column.ts';
import { type Sort, sortRows } from './columns/sort-rows.ts';
import { beginning, ListChanged, type RowPage, readNext } from './read-rows.ts';
import type { Row } from './resource.ts';
import { readList, readTotal, type ScopeList } from './scope-list.ts';

/** Highest number of rows, which takes ten requests, that the browser reads and sorts. */
export const SORTED_ROWS_MAX = 2_000;

const readAll = async (list: ScopeList, filtered: URLSearchParams, signal: AbortSignal): Promise<Row[]> => {
  const rows: Row[] = [];
  const position = beginning();
  while (!position.isOver)
    rows.push(
      ...(await readNext(
        ({ limit, offset }) =>
          readList(
            list,
            new URLSearchParams([...filtered, ['limit', String(limit)], ['offset', String(offset)]]),
            signal,
          ),
        position,
      )),
    );
  return rows;
};

interface AskedPage {
  limit: number;
  offset: number;
  sort: Sort | null;
}

const slice = (rows: readonly Row[], { limit, offset }: AskedPage): RowPage => ({
  data: rows.slice(offset, offset + limit),
  pagination: { total: rows.length, limit, offset, has_more: offset + limit < rows.length },
});

export const useRows = (list: ScopeList, filtered: URLSearchParams, asked: AskedPage, columns: readonly Column[]) => {
  const { limit, offset, sort } = asked;
  const paged = new URLSearchParams([...filtered, ['limit', String(limit)], ['offset', String(offset)]]);
  const query = useQuery({
    queryKey: ['rows', list.path, String(paged), list.currencies?.size],
    queryFn: ({ signal }) => readList(list, paged, signal),
    placeholderData: keepPreviousData,
  });
  const total = query.data ? readTotal(query.data) : 0;
  const isSortable = total <= SORTED_ROWS_MAX;
  const column = columns.find(({ name }) => name === sort?.name);
  const all = useQuery({
    queryKey: ['rows', list.path, 'all', String(filtered), list.currencies?.size],
    queryFn: ({ signal }) => readAll(list, filtered, signal),
    enabled: column !== undefined && query.data !== undefined && !query.isPlaceholderData && isSortable,
    retry: (failures, error) => error instanceof ListChanged && failures < 1,
  });
  const isSorted = column !== undefined && isSortable && all.data !== undefined;
  return {
    query,
    /** The sorted page; undefined while the rows are in the order of the API. */
    sorted: isSorted ? slice(sortRows(all.data, column, sort?.isDescending ?? false), asked) : undefined,
    isSortable,
    isSorting: all.isFetching && all.data === undefined,
    sortError: all.error,
    sortAgain: () => void all.refetch(),
  };
};

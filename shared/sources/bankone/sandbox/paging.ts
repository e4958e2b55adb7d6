/** Pages of a list by the number of their first record, from 1 (banks.md §3.1). */
export interface PageSlice<Row> {
  rows: Row[];
  pagina: [{ totalRegistros: number; masPaginas: boolean }];
}

/** Returns one page of a list; undefined if no page begins at the offset. */
export const sliceFrom = <Row>(all: readonly Row[], from: unknown, size: number): PageSlice<Row> | undefined => {
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 1) return undefined;
  if (from > 1 && from > all.length) return undefined;
  const rows = all.slice(from - 1, from - 1 + size);
  return { rows, pagina: [{ totalRegistros: all.length, masPaginas: from - 1 + rows.length < all.length }] };
};

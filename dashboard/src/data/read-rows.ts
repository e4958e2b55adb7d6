/** Reads every row of a list, page by page, and detects changes of the list during the reading. */
import type { Row } from './resource.ts';

/** Largest page size of the API (decisions.md: `limit` 1..200). */
export const PAGE_ROWS = 200;

export interface RowPage {
  data: Row[];
  /** Absent when the response contains all rows (`latest=true`). */
  pagination?: { total: number; limit: number; offset: number; has_more: boolean };
}

export type ReadPage = (paging: { limit: number; offset: number }) => Promise<RowPage>;

/**
 * A sync changed the list while it was read. The pages no longer fit together, and rows could be missing or duplicate.
 */
export class ListChanged extends Error {
  constructor() {
    super('the list changed while it was read');
    this.name = 'ListChanged';
  }
}

/** Position of a reading in the list. The caller stores the position, so that an interrupted reading can resume. */
export interface Position {
  offset: number;
  /** Total number of rows; null before the first page. */
  total: number | null;
  isOver: boolean;
}

export const beginning = (): Position => ({ offset: 0, total: null, isOver: false });

/** Reads the next page and moves `position` behind it. @throws ListChanged, and the errors of `readPage` */
export const readNext = async (readPage: ReadPage, position: Position): Promise<Row[]> => {
  const { data, pagination } = await readPage({ limit: PAGE_ROWS, offset: position.offset });
  const total = pagination?.total ?? data.length;
  if (position.total !== null && position.total !== total) throw new ListChanged();
  const offset = position.offset + data.length;
  const hasMore = pagination?.has_more ?? false;
  // Without this check an empty page with `has_more` would be requested forever.
  if (hasMore ? data.length === 0 : offset !== total) throw new ListChanged();
  Object.assign(position, { offset, total, isOver: !hasMore });
  return data;
};

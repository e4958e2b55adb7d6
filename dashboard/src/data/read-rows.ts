/** Reads every row of a list, page by page, and notices when the list changed under it. */
import type { Row } from './resource.ts';

/** The largest page that the API gives (decisions.md: `limit` 1..200). */
export const PAGE_ROWS = 200;

export interface RowPage {
  data: Row[];
  /** Absent where everything comes at once (`latest=true`). */
  pagination?: { total: number; limit: number; offset: number; has_more: boolean };
}

export type ReadPage = (paging: { limit: number; offset: number }) => Promise<RowPage>;

/** A sync wrote while the list was read: pages no longer fit together, and rows could be missing or twice. */
export class ListChanged extends Error {
  constructor() {
    super('the list changed while it was read');
    this.name = 'ListChanged';
  }
}

/** Where a reading is. Kept by whoever reads, so that one that was interrupted can go on. */
export interface Position {
  offset: number;
  /** Null until the first page was read. */
  total: number | null;
  isOver: boolean;
}

export const beginning = (): Position => ({ offset: 0, total: null, isOver: false });

/** The next page; moves the position when it came. @throws ListChanged, and whatever `readPage` does */
export const readNext = async (readPage: ReadPage, position: Position): Promise<Row[]> => {
  const { data, pagination } = await readPage({ limit: PAGE_ROWS, offset: position.offset });
  const total = pagination?.total ?? data.length;
  if (position.total !== null && position.total !== total) throw new ListChanged();
  const offset = position.offset + data.length;
  const hasMore = pagination?.has_more ?? false;
  // A page without rows that says that there are more would be asked for again for ever.
  if (hasMore ? data.length === 0 : offset !== total) throw new ListChanged();
  Object.assign(position, { offset, total, isOver: !hasMore });
  return data;
};

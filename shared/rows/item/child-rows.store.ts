/**
 * Child rows, such as the payments of a batch, are stored in packed blocks next to their parent row. 20,000 child rows
 * take 200 items, and a page at any offset reads at most three items. The number of child rows is in the parent row,
 * which is written after the blocks.
 */
import { promisify } from 'node:util';
import { deflateSync, inflate } from 'node:zlib';
import { v5 as uuidv5 } from 'uuid';
import { chunks } from '#shared/platform/concurrency.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { ChildDefinition, Row } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { restoreTexts } from '#shared/values/damaged-forms.ts';
import type { NewRow } from './row-items.ts';
import type { HeldPeriod, ScopeAddress } from './scope-address.ts';

const unpack = promisify(inflate);

const readBlocks = async (address: ScopeAddress, rowId: string, first: number, last: number): Promise<Row[]> => {
  const wanted = Array.from({ length: last - first + 1 }, (_, n) => keys.childRows(address, rowId, first + n));
  const items = new Map((await table.batchGet(wanted)).map((item) => [item.sk, item]));
  const blocks = await Promise.all(
    wanted.map(async ({ sk }): Promise<Row[]> => {
      const item = items.get(sk);
      return item ? JSON.parse((await unpack(item.packed as Uint8Array)).toString('utf8')) : [];
    }),
  );
  return blocks.flat();
};

interface ChildOwner {
  address: ScopeAddress;
  rowId: string;
  /** Number of child rows of the parent row. */
  count: number;
}

/** Reads `limit` child rows of a parent row, in their order. */
export const readChildRows = async (
  { address, rowId, count }: ChildOwner,
  offset: number,
  limit: number,
): Promise<Row[]> => {
  const size = ROW_LIMITS.childRowsPerItem;
  const end = Math.min(offset + limit, count);
  if (offset >= end) return [];
  const first = Math.floor(offset / size);
  const rows = await readBlocks(address, rowId, first, Math.floor((end - 1) / size));
  return rows.slice(offset - first * size, end - first * size);
};

/** Returns the stable ids of child rows. Equal child rows of one answer get a counter. */
const childIds = (children: ChildDefinition, rowId: string, rows: readonly Row[]): string[] => {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const key = JSON.stringify(children.naturalKey(row));
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return uuidv5(JSON.stringify([key, ordinal]), rowId);
  });
};

/** Returns the child rows of an answer with the stored texts instead of their damaged forms. */
export const restoreChildRows = (
  children: ChildDefinition,
  rowId: string,
  rows: readonly Row[],
  stored: readonly Row[],
): Row[] => {
  const before = new Map(stored.map((row) => [row.id, row]));
  const ids = childIds(children, rowId, rows);
  return rows.map((row, at) => restoreTexts(row, before.get(ids[at])));
};

/** Adds ids to child rows. A field that is missing in the answer keeps its stored value. */
const withIds = (
  children: ChildDefinition,
  rowId: string,
  rows: readonly Row[],
  stored: readonly Row[],
): [id: string, row: Row][] => {
  const before = new Map(stored.map((row) => [row.id, row]));
  const ids = childIds(children, rowId, rows);
  return rows.map((row, at) => {
    const id = ids[at] ?? '';
    const kept = before.get(id);
    const toldOf = (field: string) => (row[field] === undefined ? kept?.[field] : row[field]) ?? null;
    const fields = Object.keys(children.listRow.shape).map((field) => [field, toldOf(field)]);
    return [id, { ...Object.fromEntries(fields), id }];
  });
};

const byPosition = (children: ChildDefinition) => (a: Row, b: Row) => {
  const [of, other] = [
    children.position(a) ?? Number.POSITIVE_INFINITY,
    children.position(b) ?? Number.POSITIVE_INFINITY,
  ];
  if (of !== other) return of < other ? -1 : 1;
  return (a.id as string) < (b.id as string) ? 1 : -1;
};

/** Returns the child rows of a parsed row in list order. Pure. */
export const childRowsInOrder = (
  children: ChildDefinition,
  rowId: string,
  incoming: readonly Row[],
  stored: readonly Row[] = [],
): Row[] => [...new Map(withIds(children, rowId, incoming, stored)).values()].sort(byPosition(children));

export interface WrittenChildRows {
  /** Number of child rows after the write. */
  count: number;
  /** Number of stored child rows that the source no longer shows. */
  removed: number;
}

const blocksOf = (count: number): number => Math.ceil(count / ROW_LIMITS.childRowsPerItem);

/**
 * Writes the blocks of a parent row. An answer with child rows contains all child rows (decisions.md §5), so the new
 * blocks replace all stored blocks.
 *
 * @param before number of child rows that were stored
 */
export const writeChildRows = async (
  { address, scope: { childRows: children } }: HeldPeriod,
  { id: rowId, childRows: incoming }: NewRow,
  before: number,
  checkLease: () => void,
): Promise<WrittenChildRows> => {
  if (!children || incoming === null) return { count: before, removed: 0 };
  const stored = await readChildRows({ address, rowId, count: before }, 0, before);
  const shown = childRowsInOrder(children, rowId, incoming, stored);
  const ids = new Set(shown.map(({ id }) => id));
  const puts = chunks(shown, ROW_LIMITS.childRowsPerItem).map((rows, n) => ({
    ...keys.childRows(address, rowId, n),
    packed: deflateSync(JSON.stringify(rows)),
  }));
  const left = Array.from({ length: Math.max(0, blocksOf(before) - puts.length) }, (_, n) => puts.length + n);
  await table.batchWrite({ puts, removes: left.map((n) => keys.childRows(address, rowId, n)) }, checkLease);
  return { count: shown.length, removed: stored.filter(({ id }) => !ids.has(id)).length };
};

export interface ChildPage {
  rows: Row[];
  total: number;
}

/** Returns a page of the child rows of a parent row, or undefined if the parent row does not exist. */
export const readChildPage = async (
  address: ScopeAddress,
  rowId: string,
  offset: number,
  limit: number,
): Promise<ChildPage | undefined> => {
  const owner = await table.get(keys.fullRow(address, rowId));
  if (!owner) return undefined;
  const total = (owner.parts as number | undefined) ?? 0;
  return { rows: await readChildRows({ address, rowId, count: total }, offset, limit), total };
};

/**
 * Rows of one id in two places, and lists that say something else than their documents: what a worker leaves that was
 * taken over and put a row late. Of two copies the one that was written last, by its sequence, stays, and is written
 * anew, so that a reader of changes who saw the late one hears of the right one after it. Each mend is one transaction
 * of the holder with a sequence of its own, which the periods it touches are marked with.
 */

import { dirtyMark } from '#shared/rows/index/page-index.store.ts';
import type { StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import {
  documentItem,
  listedFields,
  listItem,
  locatorItem,
  parseRow,
  pick,
  type RowLocation,
  sequenceFields,
  sequenceOfItem,
  sequencesOfItem,
  storedFullRow,
  storedRow,
} from '#shared/rows/item/row-items.ts';
import type { HeldPeriod, ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { keys } from '#shared/table/keys.ts';
import { NO_SEQUENCE, nextSequence } from '#shared/table/late-writers.ts';
import { type Lease, stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { listKey } from './row.store.ts';
import { buildTombstone } from './tombstone.store.ts';

/** What a document says of its place and of its own write. */
interface Locator {
  sequence: number;
  hash: string;
  isHere: boolean;
  place: RowLocation;
}

/** No content has it: the next sync that shows the row writes it again. */
const UNREAD = '';

const sequenceIs = (sequence: number) => ({
  if: sequence === NO_SEQUENCE ? 'attribute_not_exists(#n) OR #n = :n' : '#n = :n',
  values: { n: sequence },
});

/** The row as it was, as the write `sequence` puts the row again. */
const renumbered = (found: table.Item, sequence: number) =>
  sequenceFields({ sequence, createdSequence: sequencesOfItem(found).createdSequence });

/** Periods whose rows a mend changes: their indexes are to be stored anew. */
const marks = (address: ScopeAddress, periods: readonly string[], lease: Lease): table.TransactItem[] =>
  [...new Set(periods)].map((period) => dirtyMark(address, period, lease));

const findLocators = async (
  { address, scope, period }: HeldPeriod,
  rows: readonly StoredRow[],
): Promise<Map<StoredRow, Locator>> => {
  if (scope.fullRow === null || rows.length === 0) return new Map();
  const ids = [...new Set(rows.map(({ id }) => id))];
  const items = await table.batchGet(
    ids.map((id) => keys.fullRow(address, id)),
    { attributes: ['sk', 'n', ...locatorItem.attributes] },
  );
  const byId = new Map(items.map((item) => [item.sk, item]));
  return new Map(
    rows.flatMap((row) => {
      const item = byId.get(row.id);
      if (item === undefined) return [];
      const { hash, ...place } = locatorItem.fromItem(item);
      const isHere = place.period === period && place.facets === row.facets && place.sortKey === row.sortKey;
      return [[row, { sequence: sequenceOfItem(item), hash, isHere, place }]];
    }),
  );
};

/** What the mends of a period came to. */
interface Mended {
  /** Other periods of which a row was removed or written anew: their indexes are dirty. */
  others: Set<string>;
  isAnything: boolean;
}

/** A mend begins: the sequence of its writes, and the marks of the periods it touches. */
const beginMend = ({ address, period, lease }: HeldPeriod, mended: Mended, other?: string) => {
  mended.isAnything = true;
  if (other !== undefined && other !== period) mended.others.add(other);
  const sequence = nextSequence(lease);
  return { sequence, begun: [stillHeld(lease), ...marks(address, [period, other ?? period], lease)] };
};

/**
 * The document was moved or written elsewhere since: this row came late. Its id has no list row where that worker died
 * before it listed the document: then the row is removed as any other is. Answers the row where its copy is of the same
 * period, for twins are settled last.
 */
const removeRow = async (
  held: HeldPeriod,
  row: StoredRow,
  { place }: Locator,
  mended: Mended,
): Promise<StoredRow | null> => {
  const { address, period } = held;
  const late = listKey(address, { period, ...row });
  const [found, right] = await Promise.all([table.get(late), table.get(listKey(address, place))]);
  if (right && place.period === period) return row;
  const { sequence, begun } = beginMend(held, mended, place.period);
  const instead: table.TransactItem = right
    ? { update: right, set: renumbered(right, sequence), ...sequenceIs(sequenceOfItem(right)) }
    : buildTombstone(held, found!, null);
  await table.transact([...begun, { remove: late, ...sequenceIs(row.sequence) }, instead]);
  return null;
};

/** The document is the later one: it is listed as it is. */
const listAgain = async (held: HeldPeriod, row: StoredRow, mended: Mended): Promise<StoredRow> => {
  const { address, scope } = held;
  const item = (await table.get(keys.fullRow(address, row.id)))!;
  const full = storedFullRow(item);
  const { sequence, begun } = beginMend(held, mended);
  const { facets, sortKey } = row;
  const statement = scope.statement?.(full.row) ?? null;
  const listed = listItem(held, { ...full, facets, sortKey, statement }, full);
  await table.transact([
    ...begun,
    { put: listed, ...sequenceIs(row.sequence) },
    {
      update: keys.fullRow(address, row.id),
      set: renumbered(item, sequence),
      ...sequenceIs(sequenceOfItem(item)),
    },
  ]);
  return storedRow(scope, facets, listed);
};

/** The row that came late with its document, where the document names another period: twins of one are settled last. */
const findTwin = async ({ address, period }: HeldPeriod, { place }: Locator): Promise<table.Item | undefined> =>
  place.period === period ? undefined : table.get(listKey(address, place));

/**
 * The document came late, over the one that this row lists. What the list shows is put into it; the rest of it is older,
 * so that its content counts as unread unless it is the same. The row that came with it goes.
 */
const adopt = async (
  held: HeldPeriod,
  row: StoredRow,
  { place, twin }: { place: RowLocation; twin: table.Item | undefined },
  mended: Mended,
): Promise<StoredRow> => {
  const { address, scope, period } = held;
  const [item, listed] = await Promise.all([
    table.get(keys.fullRow(address, row.id)),
    table.get(listKey(address, { period, ...row })),
  ]);
  const full = storedFullRow(item!);
  const shown = pick(parseRow(listed!), listedFields(scope));
  const { sequence, begun } = beginMend(held, mended, twin && place.period);
  const hash = full.hash === row.hash ? row.hash : UNREAD;
  const { createdSequence } = row;
  await table.transact([
    ...begun,
    {
      update: keys.fullRow(address, row.id),
      set: documentItem.toChanges({
        row: JSON.stringify({ ...full.row, ...shown }),
        period,
        facets: row.facets,
        sortKey: row.sortKey,
        hash,
        sequence,
        createdSequence,
      }),
      ...sequenceIs(sequenceOfItem(item!)),
    },
    {
      update: listKey(address, { period, ...row }),
      set: { hash, ...sequenceFields({ sequence, createdSequence }) },
      ...sequenceIs(row.sequence),
    },
    ...(twin === undefined ? [] : [{ remove: listKey(address, place), ...sequenceIs(sequenceOfItem(twin)) }]),
  ]);
  return { ...row, hash, sequence };
};

/**
 * Blocks of child rows carry no sequence, so that nobody can tell whether some came late. The row counts as unread, list
 * row and document: the next sync that shows it writes its child rows anew.
 */
const forgetContent = async (held: HeldPeriod, row: StoredRow, mended: Mended): Promise<void> => {
  const { address, period } = held;
  const item = await table.get(keys.fullRow(address, row.id));
  if (item === undefined) return;
  const { sequence, begun } = beginMend(held, mended);
  const unread = { hash: UNREAD, ...sequenceFields({ sequence, createdSequence: row.createdSequence }) };
  await table.transact([
    ...begun,
    { update: keys.fullRow(address, row.id), set: unread, ...sequenceIs(sequenceOfItem(item)) },
    { update: listKey(address, { period, ...row }), set: unread, ...sequenceIs(row.sequence) },
  ]);
};

/** Rows of one id without a document that says which of them is right. Answers the one that stays. */
const settleTwins = async (held: HeldPeriod, twins: readonly StoredRow[], mended: Mended): Promise<StoredRow> => {
  const { address, period } = held;
  const [last, ...late] = twins.toSorted((a, b) => b.sequence - a.sequence) as [StoredRow, ...StoredRow[]];
  const { sequence, begun } = beginMend(held, mended);
  const { createdSequence } = last;
  await table.transact([
    ...begun,
    ...late.map((row) => ({ remove: listKey(address, { period, ...row }), ...sequenceIs(row.sequence) })),
    {
      update: listKey(address, { period, ...last }),
      set: sequenceFields({ sequence, createdSequence }),
      ...sequenceIs(last.sequence),
    },
  ]);
  return { ...last, sequence };
};

const settleOne = async (
  held: HeldPeriod,
  row: StoredRow,
  locator: Locator | undefined,
  mended: Mended,
): Promise<StoredRow | null> => {
  if (locator === undefined) return row;
  if (locator.isHere && (locator.hash === row.hash || locator.sequence === row.sequence)) return row;
  if (locator.sequence < row.sequence) {
    const twin = await findTwin(held, locator);
    if (twin === undefined || sequenceOfItem(twin) < row.sequence)
      return adopt(held, row, { place: locator.place, twin }, mended);
  }
  return locator.isHere ? listAgain(held, row, mended) : removeRow(held, row, locator, mended);
};

/**
 * @returns whether anything was mended, so that the rows are to be read again; and the other periods that are dirty by it
 * @param rows of the period, read when nobody can put one late any more
 * @param oldest sequence of a write that may have come late: what was written before it cannot have met such a write
 */
export const settleCopies = async (held: HeldPeriod, rows: readonly StoredRow[], oldest: number): Promise<Mended> => {
  const mended: Mended = { others: new Set(), isAnything: false };
  const locators = await findLocators(
    held,
    rows.filter(({ sequence }) => sequence >= oldest),
  );
  const settled: StoredRow[] = [];
  for (const row of rows) {
    const kept = await settleOne(held, row, locators.get(row), mended);
    if (kept !== null) settled.push(kept);
  }
  for (const twins of Map.groupBy(settled, ({ id }) => id).values()) {
    const row = twins.length > 1 ? await settleTwins(held, twins, mended) : twins[0]!;
    const mayHaveLateChildren = held.scope.childRows !== undefined && row.sequence >= oldest;
    if (mayHaveLateChildren && row.hash !== UNREAD) await forgetContent(held, row, mended);
  }
  return mended;
};

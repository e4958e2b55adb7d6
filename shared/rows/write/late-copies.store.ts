/**
 * Repairs the copies that remain if a superseded worker puts a row late: two rows with one id, or a list row that
 * differs from its document. The copy with the newer sequence stays and is written again with a new sequence, so that a
 * reader of changes who saw the late copy gets the right copy afterwards. Each repair is one transaction of the lease's
 * holder, and marks the periods that it changes as dirty.
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

/** Place, hash and sequence of a document. */
interface Locator {
  sequence: number;
  hash: string;
  isHere: boolean;
  place: RowLocation;
}

/** A hash that no content has. The next sync that shows the row therefore writes the row again. */
const UNREAD = '';

const sequenceIs = (sequence: number) => ({
  if: sequence === NO_SEQUENCE ? 'attribute_not_exists(#n) OR #n = :n' : '#n = :n',
  values: { n: sequence },
});

/** Returns the sequence fields for an unchanged row that the write `sequence` puts again. */
const renumbered = (found: table.Item, sequence: number) =>
  sequenceFields({ sequence, createdSequence: sequencesOfItem(found).createdSequence });

/** Returns the items that mark the periods of a repair as dirty, so that their indexes are stored again. */
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

/** Result of the repairs in a period. */
interface Mended {
  /** Periods other than the repaired one in which a row was removed or written again. Their indexes are dirty. */
  others: Set<string>;
  isAnything: boolean;
}

/** Begins a repair: returns the sequence of its writes, and the items that check the lease and mark the periods. */
const beginMend = ({ address, period, lease }: HeldPeriod, mended: Mended, other?: string) => {
  mended.isAnything = true;
  if (other !== undefined && other !== period) mended.others.add(other);
  const sequence = nextSequence(lease);
  return { sequence, begun: [stillHeld(lease), ...marks(address, [period, other ?? period], lease)] };
};

/**
 * Removes a late row whose document names another place. If that place has no list row, because a worker died before it
 * wrote the list row, a tombstone is written. If both copies are in this period, the row is returned unchanged, because
 * `settleTwins` handles such copies last.
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

/** Writes the list row again from the document, because the document is newer. */
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

/**
 * Returns the row that came late together with its document, if the document names another period. `settleTwins`
 * handles copies in the same period afterwards.
 */
const findTwin = async ({ address, period }: HeldPeriod, { place }: Locator): Promise<table.Item | undefined> =>
  place.period === period ? undefined : table.get(listKey(address, place));

/**
 * Handles a late document that replaced the document of this list row. The listed values are written into the late
 * document. The late document's other fields are older, so its content counts as unread unless the hashes are equal.
 * The list row that came late with the document is removed.
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
 * Marks a list row and its document as unread. Blocks of child rows have no sequence, so late blocks cannot be
 * detected; the next sync that shows the row writes its child rows again.
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

/** Keeps the newest of several rows with one id if no document says which row is right. Returns that row. */
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
 * Repairs the copies of a period. If the result says that anything was repaired, the caller reads the rows again.
 * @param rows rows of the period, read when no worker can put a late row any more
 * @param oldest sequence of the oldest write that may have come late; rows with an older sequence are not affected
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

/**
 * Rows of one id in two places, and lists that say something else than their documents: what a worker leaves that was
 * taken over and put a row late. Of two copies the one that was written last, by its sequence, stays, and is written
 * anew; each mend is one transaction of the holder.
 */

import { keys } from '#shared/table/keys.ts';
import { NO_SEQUENCE, nextSequence } from '#shared/table/late-writers.ts';
import { stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { markDirty } from './page-index.store.ts';
import { listKey } from './row.store.ts';
import type { StoredRow } from './row-diff.rules.ts';
import {
  documentItem,
  listedFields,
  listItem,
  locatorItem,
  type Place,
  pick,
  rowOf,
  sequenceOfItem,
  storedFullRow,
  storedRow,
} from './row-items.ts';
import type { HeldPeriod } from './scope-address.ts';

/** What a document says of its place and of its own write. */
interface Locator {
  sequence: number;
  hash: string;
  isHere: boolean;
  place: Place;
}

/** No content has it: the next sync that shows the row writes it again. */
const UNREAD = '';

const sequenceIs = (sequence: number) => ({
  if: sequence === NO_SEQUENCE ? 'attribute_not_exists(#n) OR #n = :n' : '#n = :n',
  values: { n: sequence },
});

const sequenceOfRow = (row: StoredRow): number => row.sequence ?? NO_SEQUENCE;

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

/** The document was moved or written elsewhere since: this row came late. */
const removeRow = ({ address, period, lease }: HeldPeriod, row: StoredRow): Promise<void> =>
  table.transact([
    stillHeld(lease),
    { remove: listKey(address, { period, ...row }), ...sequenceIs(sequenceOfRow(row)) },
  ]);

/** The document is the later one: it is listed as it is. */
const listAgain = async (held: HeldPeriod, row: StoredRow): Promise<StoredRow> => {
  const { address, scope, lease } = held;
  const item = (await table.get(keys.fullRow(address, row.id)))!;
  const full = storedFullRow(item);
  const sequence = nextSequence(lease);
  const { facets, sortKey } = row;
  const statement = scope.statement?.(full.row) ?? null;
  const listed = listItem(held, { ...full, facets, sortKey, statement }, full);
  await table.transact([
    stillHeld(lease),
    { put: listed, ...sequenceIs(sequenceOfRow(row)) },
    { update: keys.fullRow(address, row.id), set: { n: sequence }, ...sequenceIs(sequenceOfItem(item)) },
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
  { address, scope, period, lease }: HeldPeriod,
  row: StoredRow,
  { place }: Locator,
  twin: table.Item | undefined,
): Promise<StoredRow> => {
  const [item, listed] = await Promise.all([
    table.get(keys.fullRow(address, row.id)),
    table.get(listKey(address, { period, ...row })),
  ]);
  if (twin !== undefined) await markDirty(address, place.period, lease);
  const full = storedFullRow(item!);
  const shown = pick(rowOf(listed!), listedFields(scope));
  const sequence = nextSequence(lease);
  const hash = full.hash === row.hash ? row.hash : UNREAD;
  await table.transact([
    stillHeld(lease),
    {
      update: keys.fullRow(address, row.id),
      set: documentItem.toChanges({
        row: JSON.stringify({ ...full.row, ...shown }),
        period,
        facets: row.facets,
        sortKey: row.sortKey,
        hash,
        sequence,
      }),
      ...sequenceIs(sequenceOfItem(item!)),
    },
    {
      update: listKey(address, { period, ...row }),
      set: { hash, n: sequence },
      ...sequenceIs(sequenceOfRow(row)),
    },
    ...(twin === undefined ? [] : [{ remove: listKey(address, place), ...sequenceIs(sequenceOfItem(twin)) }]),
  ]);
  return { ...row, hash, sequence };
};

/** Rows of one id without a document that says which of them is right. */
const settleTwins = async ({ address, period, lease }: HeldPeriod, twins: readonly StoredRow[]): Promise<StoredRow> => {
  const [last, ...late] = twins.toSorted((a, b) => sequenceOfRow(b) - sequenceOfRow(a)) as [StoredRow, ...StoredRow[]];
  const sequence = nextSequence(lease);
  await table.transact([
    stillHeld(lease),
    ...late.map((row) => ({ remove: listKey(address, { period, ...row }), ...sequenceIs(sequenceOfRow(row)) })),
    { update: listKey(address, { period, ...last }), set: { n: sequence }, ...sequenceIs(sequenceOfRow(last)) },
  ]);
  return { ...last, sequence };
};

const settleOne = async (
  held: HeldPeriod,
  row: StoredRow,
  locator: Locator | undefined,
  emptied: Set<string>,
): Promise<StoredRow | null> => {
  if (locator === undefined) return row;
  if (locator.isHere && (locator.hash === row.hash || locator.sequence === sequenceOfRow(row))) return row;
  if (locator.sequence < sequenceOfRow(row)) {
    const twin = await findTwin(held, locator);
    if (twin === undefined || sequenceOfItem(twin) < sequenceOfRow(row)) {
      if (twin !== undefined) emptied.add(locator.place.period);
      return adopt(held, row, locator, twin);
    }
  }
  if (locator.isHere) return listAgain(held, row);
  await removeRow(held, row);
  return null;
};

/**
 * @returns the rows that stay, and the other periods that lost one: their indexes are dirty
 * @param rows of the period, read when nobody can put one late any more
 * @param oldest sequence of a write that may have come late: what was written before it cannot have met such a write
 */
export const settleCopies = async (
  held: HeldPeriod,
  rows: readonly StoredRow[],
  oldest: number,
): Promise<{ rows: StoredRow[]; emptied: ReadonlySet<string> }> => {
  const suspects = rows.filter((row) => sequenceOfRow(row) >= oldest);
  const locators = await findLocators(held, suspects);
  const settled: StoredRow[] = [];
  const emptied = new Set<string>();
  for (const row of rows) {
    const kept = await settleOne(held, row, locators.get(row), emptied);
    if (kept !== null) settled.push(kept);
  }
  const byId = Map.groupBy(settled, ({ id }) => id);
  if (byId.size === settled.length) return { rows: settled, emptied };
  const once: StoredRow[] = [];
  for (const twins of byId.values()) once.push(twins.length === 1 ? twins[0]! : await settleTwins(held, twins));
  return { rows: once, emptied };
};

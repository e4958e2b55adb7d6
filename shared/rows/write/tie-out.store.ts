/**
 * Checks whether a month ties out: compares the source's totals with the sums of the stored rows. These rows are the
 * rows of the reading, and stored rows that the source no longer shows, which are read by key.
 */

import { unpackTotals } from '#shared/rows/index/totals-codec.ts';
import { facetValues } from '#shared/rows/item/facets.ts';
import type { IncomingRow, StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import { listedFields, parseRow, pick, type StoredFullRow } from '#shared/rows/item/row-items.ts';
import type { HeldPeriod } from '#shared/rows/item/scope-address.ts';
import {
  type CountedRow,
  compareRowsAlone,
  compareWithTotals,
  isTold,
  type ListedMax,
  lacksAmounts,
  type PeriodTotals,
  packAmounts,
  unknownAmounts,
} from '#shared/rows/item/totals.rules.ts';
import { totalsWithout } from '#shared/rows/item/totals-without.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { ScopeDefinition, TotalsDefinition } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { mustGet } from '#shared/values/must-get.ts';
import type { ToldTotals, TotalGroup } from '#shared/values/source-totals.ts';
import { listKey } from './row.store.ts';

const LISTED_MAX: ListedMax = { groups: ROW_LIMITS.totalGroupsMax, ids: ROW_LIMITS.notShownNamedMax };

/** A month from which a reading of another month moved rows. */
export interface LeftMonth {
  period: string;
  /** The rows as the totals of the month counted them. */
  rows: readonly CountedRow[];
  /** Packed totals of the month before the first row left; null if they are unknown. */
  totals: Uint8Array | null;
}

/** Returns the totals of a month after rows left it; null if they are unknown. */
export const findTotalsWithout = ({ totals: definition }: ScopeDefinition, { rows, totals }: LeftMonth) =>
  definition && totals ? totalsWithout(definition, unpackTotals(totals), rows) : null;

/** Rows of a month at the time a reading is written. */
export interface MonthRows {
  /** Rows of the reading that are stored or about to be stored. */
  incoming: readonly IncomingRow[];
  /** All rows that the source shows. */
  shown: readonly { id: string }[];
  /** Rows that were stored before. */
  stored: readonly StoredRow[];
  /** The rows of `stored` that this reading removes. */
  removed: readonly { id: string }[];
}

/** Returns the group values of a stored row that are known without reading the row. */
const knownPart = (
  scope: ScopeDefinition,
  { account }: TotalsDefinition,
  { facets, statement }: StoredRow,
): TotalGroup => ({
  ...facetValues(scope, facets),
  ...(account !== undefined && statement ? { [account]: statement.account } : {}),
});

/**
 * Returns the amounts of stored rows by row id. Reads the list rows if they contain all summed fields, otherwise the
 * documents.
 */
const readAmounts = async (
  { address, scope, period }: HeldPeriod,
  definition: TotalsDefinition,
  rows: readonly Pick<IncomingRow, 'id' | 'facets' | 'sortKey'>[],
): Promise<Map<string, string>> => {
  if (rows.length === 0) return new Map();
  const isListed = definition.fields.every((field) => listedFields(scope).includes(field));
  const ids = new Map(rows.map((row) => [isListed ? row.sortKey : row.id, row.id]));
  const places = rows.map((row) => (isListed ? listKey(address, { period, ...row }) : keys.fullRow(address, row.id)));
  const items = await table.batchGet(places, { attributes: ['sk', 'row'] });
  return new Map(
    items.map((item) => [mustGet(ids, item.sk), packAmounts(definition, pick(parseRow(item), definition.fields))]),
  );
};

/**
 * Counts rows that leave a month as `tieOut` counted them: a document that a superseded worker put late has other amounts
 * than its list row. A document without a list row was not counted. Must be called before the rows are moved.
 */
export const countLeaving = async (month: HeldPeriod, rows: readonly StoredFullRow[]): Promise<CountedRow[]> => {
  const definition = month.scope.totals;
  if (!definition) return [];
  const places = rows.map(({ id, place }) => ({ id, ...place }));
  const amounts = await readAmounts(month, definition, places);
  return [...amounts].map(([id, packed]) => ({ id, amounts: packed, isShown: false }));
};

/**
 * Compares the source's totals with the sums of the stored rows. Must be called after the rows are written and before
 * the index is stored. Returns undefined if the source reported no totals in this reading.
 */
export const tieOut = async (
  held: HeldPeriod,
  told: ToldTotals | undefined,
  { incoming, shown, stored, removed }: MonthRows,
): Promise<PeriodTotals | undefined> => {
  const definition = held.scope.totals;
  if (!definition || !told || told.totals.length + told.whole.length === 0) return undefined;
  const came = new Set(incoming.map(({ id }) => id));
  const gone = new Set(removed.map(({ id }) => id));
  const kept = stored
    .filter(({ id }) => !came.has(id) && !gone.has(id))
    .map((row) => ({ row, known: knownPart(held.scope, definition, row) }))
    .filter(({ known }) => isTold(told, known));
  const counted = incoming.map(({ id, amounts }): CountedRow => ({ id, amounts: amounts!, isShown: true }));
  if (kept.length > ROW_LIMITS.totalsRowsReadMax)
    return compareRowsAlone(definition, told, { rows: counted, notShown: kept.length }, LISTED_MAX);

  const lacking = incoming.filter(({ amounts }) => lacksAmounts(amounts!));
  const isReadable = kept.length + lacking.length <= ROW_LIMITS.totalsRowsReadMax;
  const wanted = [...kept.map(({ row }) => row), ...(isReadable ? lacking : [])];
  const read = await readAmounts(held, definition, wanted);
  const isShown = new Set(kept.length === 0 ? [] : shown.map(({ id }) => id));
  const rows: CountedRow[] = [
    ...counted.map((row) => ({ ...row, amounts: read.get(row.id) ?? row.amounts })),
    ...kept.map(({ row: { id }, known }) => ({
      id,
      amounts: read.get(id) ?? unknownAmounts(definition, known),
      isShown: isShown.has(id),
    })),
  ];
  return compareWithTotals(definition, told, rows, LISTED_MAX);
};

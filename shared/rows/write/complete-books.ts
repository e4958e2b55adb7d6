/**
 * Finds stored rows that a complete book does not contain (ADR 36). A book is complete if the source reported the totals
 * of all its groups, and each equals the sums of the rows of the reading exactly. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { facetValues } from '#shared/rows/item/facets.ts';
import type { IncomingRow, StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import { compareWithTotals, isIn, lacksAmounts } from '#shared/rows/item/totals.rules.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { ToldTotals } from '#shared/values/source-totals.ts';

const UNLIMITED = { groups: Number.POSITIVE_INFINITY, ids: 0 };

/** @param shown rows of the reading that are about to be stored */
export const findRowsOutsideBook = (
  scope: ScopeDefinition,
  told: ToldTotals | undefined,
  stored: readonly StoredRow[],
  shown: readonly IncomingRow[],
): StoredRow[] => {
  const { totals } = scope;
  const part = totals?.neverMoves;
  if (!totals || !part || !told?.whole.some((group) => isDeepStrictEqual(group, part))) return [];
  const isOfPart = ({ facets }: IncomingRow) => isIn(facetValues(scope, facets), part);
  const ids = new Set(shown.map(({ id }) => id));
  const others = stored.filter((row) => isOfPart(row) && !ids.has(row.id));
  const book = shown.filter(isOfPart);
  if (others.length === 0 || book.length === 0) return [];
  const rows = book.map(({ id, amounts = '' }) => ({ id, amounts, isShown: true }));
  if (rows.some(({ amounts }) => amounts === '' || lacksAmounts(amounts))) return [];
  const ofPart = { whole: [part], totals: told.totals.filter(({ group }) => isIn(group, part)) };
  const { groups } = compareWithTotals(totals, ofPart, rows, UNLIMITED);
  return groups.every(({ verdict }) => verdict === 'equal') ? others : [];
};

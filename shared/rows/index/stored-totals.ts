/** What is to be stored of the totals of a month: all of them in its `PERIOD`, and whether it ties out in `SUMMARY`. */

import type { PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import { type StoredSummary, summarizeTieOut } from './summary.ts';
import { packTotals } from './totals-codec.ts';

export interface StoredTotals {
  /** Of `PERIOD`. */
  attributes: { totals?: Uint8Array };
  /** Of the entry in `SUMMARY`. */
  entry: Pick<StoredSummary, 'tieOut'>;
  /** Do they say something else than what is stored? Not where a reading was told none. */
  areOthers(before: Uint8Array | null): boolean;
}

export const storedTotals = (totals: PeriodTotals | null | undefined): StoredTotals => {
  if (!totals) return { attributes: {}, entry: {}, areOthers: () => false };
  const packed = packTotals(totals);
  return {
    attributes: { totals: packed },
    entry: summarizeTieOut(totals),
    areOthers: (before) => before === null || Buffer.compare(before, packed) !== 0,
  };
};

/** The entry of a month whose rows stay as they are, with other totals. */
export const withTotals = ({ tieOut: _, ...entry }: StoredSummary, { entry: told }: StoredTotals): StoredSummary => ({
  ...entry,
  ...told,
});

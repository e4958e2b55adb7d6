/** How totals of a month are stored: in full in `PERIOD`, and the verdict with the first differences in `SUMMARY`. */

import type { PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import { type StoredSummary, summarizeTieOut } from './summary.ts';
import { packTotals } from './totals-codec.ts';

export interface StoredTotals {
  /** Attributes of the `PERIOD` item. */
  attributes: { totals?: Uint8Array };
  /** Part of the entry in `SUMMARY`. */
  entry: Pick<StoredSummary, 'tieOut'>;
  /** True if these totals differ from the stored ones. Always false if the reading had no totals. */
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

/** The entry of a month whose rows stay the same while its totals change. */
export const withTotals = ({ tieOut: _, ...entry }: StoredSummary, { entry: told }: StoredTotals): StoredSummary => ({
  ...entry,
  ...told,
});

/**
 * Defines how the totals of a month are stored: in full in `PERIOD`, and as a verdict with the first differences in
 * `SUMMARY`.
 */

import type { PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import { type StoredSummary, summarizeTieOut } from './summary.ts';
import { packTotals } from './totals-codec.ts';

export interface StoredTotals {
  /** Attributes to set in the `PERIOD` item. */
  attributes: { totals?: Uint8Array };
  /** Attributes to set in the month's entry in `SUMMARY`. */
  entry: Pick<StoredSummary, 'tieOut'>;
  /**
   * True if these totals differ from the stored totals. Always false if the source reported no totals in this reading.
   */
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

/** Returns the entry of a month whose rows stay the same while its totals change. */
export const withTotals = ({ tieOut: _, ...entry }: StoredSummary, { entry: told }: StoredTotals): StoredSummary => ({
  ...entry,
  ...told,
});

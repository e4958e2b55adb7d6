/** Computes the writes that remain for a month whose index is already correct. Usually no write remains. */
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import type { Key } from '#shared/table/keys.ts';
import type * as table from '#shared/table/table.ts';
import { type StoredTotals, withTotals } from './stored-totals.ts';
import type { StoredSummary } from './summary.ts';

const LOOKED_AGAIN = ['look_again_ms', 'suspects', 'touched', 'due_pk', 'due_sk'];

interface RightIndex {
  /** Key of the `PERIOD` item. */
  key: Key;
  /** The month's entry in `SUMMARY`. */
  told: StoredSummary;
  /** The stored totals of the source, packed. */
  totals: Uint8Array | null;
  now: StoredTotals;
  /** True if the repair has read the rows once more and no worker can write a late row any more. */
  isSettled: boolean;
  /** True if the rows of the scope show when their source was read. */
  isShownSync: boolean;
}

/** Returns the new entry in `SUMMARY` and the changes in `PERIOD`, or null if nothing changes. */
export const besideRightIndex = ({
  key,
  told,
  totals,
  now,
  isSettled,
  isShownSync,
}: RightIndex): { entry: StoredSummary; period: table.TransactItem[] } | null => {
  if (isSettled) return { entry: { ...told, writtenAtMs: nowMs() }, period: [{ update: key, remove: LOOKED_AGAIN }] };
  const read = isShownSync ? { ...told, syncedAt: nowIso() } : told;
  if (now.areOthers(totals)) return { entry: withTotals(read, now), period: [{ update: key, set: now.attributes }] };
  return isShownSync ? { entry: read, period: [] } : null;
};

/** What is still to be written of a month whose index is right: nothing, mostly. */
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import type { Key } from '#shared/table/keys.ts';
import type * as table from '#shared/table/table.ts';
import { type StoredTotals, withTotals } from './stored-totals.ts';
import type { StoredSummary } from './summary.ts';

const LOOKED_AGAIN = ['look_again_ms', 'suspects', 'touched', 'due_pk', 'due_sk'];

interface RightIndex {
  /** Of `PERIOD`. */
  key: Key;
  /** Its entry in `SUMMARY`. */
  told: StoredSummary;
  /** As stored. */
  totals: Uint8Array | null;
  now: StoredTotals;
  /** A repair looked again, and nobody can put a row late any more. */
  isSettled: boolean;
  /** Rows show when their source was read. */
  isShownSync: boolean;
}

/** The entry of the summary and what changes in `PERIOD`; null: nothing. */
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

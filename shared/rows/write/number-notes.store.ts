/**
 * What the readings of a month found about the source's row numbers, stored next to the index (ADR 16): whether the
 * stored rows were confirmed by a later reading, which reading was refused because it changes the identity of too many
 * rows, and which changed numbers were already reported.
 */
import { nowMs } from '#shared/platform/clock.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { keys } from '#shared/table/keys.ts';
import { type Lease, stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { joinHashes, shortHash, splitHashes, weighDoubt } from '#shared/values/doubt.ts';
import type { NumberedRow } from './renumbered.rules.ts';

export interface NumberNotes {
  /** True if a run after the run that stored the rows read the same rows. */
  isConfirmed: boolean;
  /** Run that added rows which no later reading has confirmed; empty if there is no such run. */
  unreadRun: string;
  /**
   * Rows that would replace stored rows and were refused, as hashes of eight characters. Null after an accepted
   * reading.
   */
  doubted: { rows: string; firstSeenMs: number } | null;
  /**
   * Run that accepted the refused reading, and the number of rows that the reading replaces. Stored because the run's
   * first worker may die halfway.
   */
  believed: { runId: string; count: number } | null;
  /** Hashes of eight characters, one for each row whose number at the source differs from the stored number. */
  told: string;
}

export const NO_NOTES: NumberNotes = { isConfirmed: false, unreadRun: '', doubted: null, believed: null, told: '' };

export const findNumberNotes = async (address: ScopeAddress, period: string): Promise<NumberNotes> => {
  const item = await table.get(keys.numberNotes(address, period));
  return item ? (item.notes as NumberNotes) : NO_NOTES;
};

export const keepNumberNotes = async (
  { address, lease }: { address: ScopeAddress; lease: Lease },
  period: string,
  before: NumberNotes,
  notes: NumberNotes,
): Promise<void> => {
  if (JSON.stringify(notes) === JSON.stringify(before)) return;
  await table.transact([stillHeld(lease), { put: { ...keys.numberNotes(address, period), notes } }]);
};

/**
 * Returns the hash of a doubted row. The hash covers only the row's number and first mark, because a late booking
 * changes the balances of all rows after it.
 */
const doubtedRow = ({ id, marks }: NumberedRow): string => shortHash(JSON.stringify([id, marks[0]]));

/**
 * Returns how many hours a refused reading must stay the same before it is accepted. The wait is longer if the reading
 * replaces confirmed rows.
 */
const standHours = ({ isConfirmed, unreadRun }: NumberNotes, replaced: readonly NumberedRow[]): number =>
  isConfirmed && replaced.some(({ writtenRun }) => writtenRun !== unreadRun)
    ? ROW_LIMITS.rewrittenConfirmedStandHours
    : ROW_LIMITS.rewrittenRowsStandHours;

const HOUR_MS = 3_600_000;

/**
 * Returns the notes after a reading whose rows would replace the `replaced` stored rows. `believed` in the result says
 * whether the reading is accepted. If a reading shows all doubted rows again and also further rows that must be
 * refused, the wait does not restart.
 */
export const judgeRewritten = (
  before: NumberNotes,
  rewritten: readonly NumberedRow[],
  replaced: readonly NumberedRow[],
  { runId, isTooMany }: { runId: string; isTooMany: boolean },
): { notes: NumberNotes; hours: number } => {
  const hours = standHours(before, replaced);
  if (before.believed?.runId === runId) return { notes: before, hours };
  const own = { ...before, believed: null };
  if (!isTooMany) return { notes: { ...own, doubted: null }, hours };
  const rows = new Set(rewritten.map(doubtedRow));
  const known = before.doubted && { shown: before.doubted.rows, firstSeenMs: before.doubted.firstSeenMs };
  const wait = { atMs: nowMs(), waitMs: hours * HOUR_MS };
  const { firstSeenMs, isBelieved } = weighDoubt(known ?? undefined, rows, wait);
  const doubted = { rows: joinHashes(rows, ROW_LIMITS.doubtedRowsMax), firstSeenMs };
  if (!isBelieved) return { notes: { ...own, doubted }, hours };
  return { notes: { ...own, isConfirmed: false, doubted, believed: { runId, count: rewritten.length } }, hours };
};

/** Returns the notes after a reading that shows every stored row unchanged. */
export const judgePlain = (
  before: NumberNotes,
  { isByOthers, hasMore, runId }: { isByOthers: boolean; hasMore: boolean; runId: string },
): NumberNotes => ({
  isConfirmed: before.isConfirmed || isByOthers,
  unreadRun: hasMore || before.unreadRun === runId ? runId : '',
  doubted: null,
  believed: before.believed?.runId === runId ? before.believed : null,
  told: '',
});

const pairOf = ([came, stored]: readonly [string, string]): string => shortHash(`${came}|${stored}`);

/**
 * Finds the changed numbers that no run has reported yet. Returns the number of stored rows among them, and the hashes
 * to remember. If the source gave a stored row's number to a new row, the new row has its own id and is not counted.
 */
export const tellNumbers = (
  { told }: NumberNotes,
  ids: ReadonlyMap<string, string>,
  isStored: (id: string) => boolean,
): { count: number; told: string } => {
  const known = splitHashes(told);
  const pairs = [...ids].map((entry) => ({ pair: pairOf(entry), isStored: isStored(entry[1]) }));
  const count = pairs.filter((one) => one.isStored && !known.has(one.pair)).length;
  const kept = pairs.slice(0, ROW_LIMITS.toldNumbersMax).map(({ pair }) => pair);
  return { count, told: kept.join('') };
};

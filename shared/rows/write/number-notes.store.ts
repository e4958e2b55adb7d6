/**
 * What the readings of a month told so far of the numbers of its rows, beside the index (ADR 16): whether stored rows were
 * ever read again as they are, which reading was refused because dozens of them are something else in it, and which
 * changed numbers were told.
 */
import { hash } from 'node:crypto';
import { nowMs } from '#shared/platform/clock.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { keys } from '#shared/table/keys.ts';
import { type Lease, stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import type { NumberedRow } from './renumbered.rules.ts';

export interface NumberNotes {
  /** A later run than the one that stored them read the rows as they are. */
  isConfirmed: boolean;
  /** Run whose further rows nobody read again; empty: none. */
  unreadRun: string;
  /** The rows that came in place of stored ones and were refused, eight characters each; null: a right reading came since. */
  doubted: { rows: string; firstSeenMs: number } | null;
  /** Run that believes it, and how many rows it replaces: its first worker may have died halfway. */
  believed: { runId: string; count: number } | null;
  /** Of each row that comes under another number than the stored one; eight characters each. */
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

const PAIR_CHARS = 8;

const shortHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, PAIR_CHARS);

const pairsIn = (text: string): Set<string> => new Set(text.match(new RegExp(`.{${PAIR_CHARS}}`, 'g')));

/** By number and first mark: a late booking changes the balances after it. */
const doubtedRow = ({ id, marks }: NumberedRow): string => shortHash(JSON.stringify([id, marks[0]]));

/** Beside the stored rows in whose place they came; how long a reading must stand that replaces dozens. */
const standHours = ({ isConfirmed, unreadRun }: NumberNotes, replaced: readonly NumberedRow[]): number =>
  isConfirmed && replaced.some(({ writtenRun }) => writtenRun !== unreadRun)
    ? ROW_LIMITS.rewrittenConfirmedStandHours
    : ROW_LIMITS.rewrittenRowsStandHours;

const HOUR_MS = 3_600_000;

/**
 * After a reading in which these rows came in place of the `replaced` stored ones; `believed` says whether they may.
 * Further rows of the same kind leave the time since which the first ones stand.
 */
export const judgeRewritten = (
  before: NumberNotes,
  rewritten: readonly NumberedRow[],
  replaced: readonly NumberedRow[],
  runId: string,
): { notes: NumberNotes; hours: number } => {
  const hours = standHours(before, replaced);
  if (before.believed?.runId === runId) return { notes: before, hours };
  const own = { ...before, believed: null };
  if (rewritten.length <= ROW_LIMITS.rewrittenRowsMax) return { notes: { ...own, doubted: null }, hours };
  const rows = new Set(rewritten.map(doubtedRow));
  const stands = before.doubted !== null && [...pairsIn(before.doubted.rows)].every((row) => rows.has(row));
  const firstSeenMs = stands ? before.doubted!.firstSeenMs : nowMs();
  const doubted = { rows: [...rows].sort().slice(0, ROW_LIMITS.doubtedRowsMax).join(''), firstSeenMs };
  if (nowMs() - firstSeenMs < hours * HOUR_MS) return { notes: { ...own, doubted }, hours };
  return { notes: { ...own, isConfirmed: false, doubted, believed: { runId, count: rewritten.length } }, hours };
};

/** After a reading that shows every stored row as it is. */
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
 * Changed numbers that no run told yet: how many are of stored rows, and what is told with them. Where a source gave a
 * stored row's number to a new one, that one has an id of its own, and is none of those.
 */
export const tellNumbers = (
  { told }: NumberNotes,
  ids: ReadonlyMap<string, string>,
  isStored: (id: string) => boolean,
): { count: number; told: string } => {
  const known = pairsIn(told);
  const pairs = [...ids].map((entry) => ({ pair: pairOf(entry), isStored: isStored(entry[1]) }));
  const count = pairs.filter((one) => one.isStored && !known.has(one.pair)).length;
  const kept = pairs.slice(0, ROW_LIMITS.toldNumbersMax).map(({ pair }) => pair);
  return { count, told: kept.join('') };
};

/**
 * Doubts about a reading of a tender: the reading replaces all rows of a list, or changes facts that never change. The
 * stored data stays until a later reading shows the same (docs/adr/0016). Pure.
 */
import { joinHashes, shortHash, weighDoubt } from '#shared/values/doubt.ts';
import { CHANGE_LIMITS } from '#shared/values/limits.ts';
import type { TenderRules } from '#shared/values/tender-beside.ts';
import type { TenderRow } from '#shared/values/tender-identity.ts';

/** Ids of the rows of lists that a reading replaces. */
export interface ReplacedLists {
  shown: ReadonlySet<string>;
  stored: ReadonlySet<string>;
}

const idsOf = (rows: readonly TenderRow[]): string[] => rows.map(({ id }) => String(id));

/**
 * Finds lists of which the reading shows other rows and no stored row. Some rows of a list may be withdrawn, and some
 * may be added, but a list of three or more rows is not replaced in a day.
 */
export const findReplacedLists = (
  { listing }: TenderRules,
  shown: readonly TenderRow[],
  stored: readonly TenderRow[],
): ReplacedLists => {
  const byList = (rows: readonly TenderRow[]) =>
    Map.groupBy(rows, (row) => (listing === undefined ? null : row[listing]));
  const replaced = { shown: new Set<string>(), stored: new Set<string>() };
  const others = byList(shown);
  for (const [list, before] of byList(stored)) {
    const [ids, now] = [idsOf(before), idsOf(others.get(list) ?? [])];
    if (ids.length < CHANGE_LIMITS.allRowsMin || now.length === 0 || now.some((id) => ids.includes(id))) continue;
    for (const id of now) replaced.shown.add(id);
    for (const id of ids) replaced.stored.add(id);
  }
  return replaced;
};

/** The first hashes represent all doubted data, because the doubt is stored with the tender's own item. */
const HASHES_MAX = 500;

export interface JudgedDoubt {
  /** The doubt to store; null if nothing is doubted. */
  doubt: string | null;
  /** True if the reading has stayed the same for long enough. */
  isBelieved: boolean;
}

/**
 * Decides whether a doubted reading is believed. If it shows all data again that an earlier reading was doubted for,
 * the wait does not restart.
 *
 * @param before the stored doubt
 */
export const judgeDoubt = (
  before: string | undefined,
  doubted: readonly unknown[],
  { atMs, standMs }: { atMs: number; standMs: number },
): JudgedDoubt => {
  if (doubted.length === 0) return { doubt: null, isBelieved: false };
  const now = new Set(doubted.map((one) => shortHash(JSON.stringify(one))));
  const [since = '', shown = ''] = before?.split(' ') ?? [];
  const known = before === undefined ? undefined : { shown, firstSeenMs: Number(since) };
  const { firstSeenMs, isBelieved } = weighDoubt(known, now, { atMs, waitMs: standMs });
  return { doubt: `${firstSeenMs} ${joinHashes(now, HASHES_MAX)}`, isBelieved };
};

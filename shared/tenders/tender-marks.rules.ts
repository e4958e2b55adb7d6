/**
 * Marks on a tender for rows that may have been put without an announcement. A writer sets `<scope>#<fence>` before its
 * first row. If that writer dies, the mark becomes `<scope>#late#<ms>`: rows may arrive until that time. Pure.
 */
const LATE = '#late#';

export const buildMark = (scope: string, fence: number): string => `${scope}#${fence}`;

export const scopeOfMark = (mark: string): string => mark.slice(0, mark.indexOf('#'));

/**
 * Returns the time until which rows may arrive late, in epoch milliseconds. Null for a mark in the form
 * `<scope>#<fence>`.
 */
export const lateUntilMs = (mark: string): number | null =>
  mark.includes(LATE) ? Number(mark.slice(mark.indexOf(LATE) + LATE.length)) : null;

const fenceOf = (mark: string): number => Number(mark.slice(mark.indexOf('#') + 1));

/** Describes which marks of a scope an announcement covers. */
export interface Announced {
  scope: string;
  /** A writer whose lease has this fence or a lower fence puts no more rows, except rows that arrive late. */
  fence: number;
  atMs: number;
}

/** True if the announcement covers the mark. A late mark is covered once its time is over, independent of the lease. */
const isAnnounced = (mark: string, { scope, fence, atMs }: Announced): boolean => {
  if (scopeOfMark(mark) !== scope) return false;
  const untilMs = lateUntilMs(mark);
  return untilMs === null ? fenceOf(mark) <= fence : untilMs <= atMs;
};

/** True if an announcement of the scope is due now. */
export const isToAnnounce = (marks: readonly string[], announced: Announced): boolean =>
  marks.some((mark) => isAnnounced(mark, announced));

/**
 * Returns the marks that remain after the scope was announced. A covered mark of another writer becomes a late mark,
 * because that writer died or was superseded.
 *
 * @param own mark of the announcing writer; null if the announcer wrote no rows
 */
export const marksAfter = (
  marks: readonly string[],
  { own, lateMs, ...announced }: Announced & { own: string | null; lateMs: number },
): string[] => {
  const taken = marks.filter((mark) => isAnnounced(mark, announced));
  const left = marks.filter((mark) => !taken.includes(mark));
  const isAnyLost = taken.some((mark) => lateUntilMs(mark) === null && mark !== own);
  return isAnyLost ? [...left, `${announced.scope}${LATE}${announced.atMs + lateMs}`] : left;
};

/** Returns the time of the next check of the marks, in epoch milliseconds. Null if there are no marks. */
export const lookAtMs = (marks: readonly string[], atMs: number, openMs: number): number | null =>
  marks.length === 0 ? null : Math.min(...marks.map((mark) => lateUntilMs(mark) ?? atMs + openMs));

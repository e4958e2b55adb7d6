/**
 * Marks on a tender: whose rows may have been put without anybody announcing them. `<scope>#<fence>` is set before the
 * first row is put; `<scope>#late#<ms>` when the writer of such a mark died, whose rows may still come until then. Pure.
 */
const LATE = '#late#';

export const buildMark = (scope: string, fence: number): string => `${scope}#${fence}`;

export const scopeOfMark = (mark: string): string => mark.slice(0, mark.indexOf('#'));

/** Until when rows may come late, in epoch milliseconds; null: the mark is of a writer. */
export const lateUntilMs = (mark: string): number | null =>
  mark.includes(LATE) ? Number(mark.slice(mark.indexOf(LATE) + LATE.length)) : null;

const fenceOf = (mark: string): number => Number(mark.slice(mark.indexOf('#') + 1));

/** Of which marks a scope is announced. */
export interface Announced {
  scope: string;
  /** Writers under leases up to this fence put no more rows, or only late ones. */
  fence: number;
  atMs: number;
}

/** Late marks are announced when their time is over, whoever holds the lease. */
const isAnnounced = (mark: string, { scope, fence, atMs }: Announced): boolean => {
  if (scopeOfMark(mark) !== scope) return false;
  const untilMs = lateUntilMs(mark);
  return untilMs === null ? fenceOf(mark) <= fence : untilMs <= atMs;
};

/** Is anything of the scope to be announced now? */
export const isToAnnounce = (marks: readonly string[], announced: Announced): boolean =>
  marks.some((mark) => isAnnounced(mark, announced));

/**
 * The marks after the scope was announced. A mark of another writer leaves a late one: the writer died, or was taken over.
 *
 * @param own mark of the writer that announces; null: nobody wrote
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

/** When the marks are to be looked at next, in epoch milliseconds; null: there is none. */
export const lookAtMs = (marks: readonly string[], atMs: number, openMs: number): number | null =>
  marks.length === 0 ? null : Math.min(...marks.map((mark) => lateUntilMs(mark) ?? atMs + openMs));

/**
 * Marks on a tender: whose rows may have been put without anybody announcing them. `<scope>#<fence>` is set before the
 * first row is put; `<scope>#late#<ms>` when the writer of such a mark died, whose rows may still come until then. Pure.
 */
const LATE = '#late#';

export const markOf = (scope: string, fence: number): string => `${scope}#${fence}`;

export const scopeOfMark = (mark: string): string => mark.slice(0, mark.indexOf('#'));

/** Until when rows may come late, in epoch milliseconds; null: the mark is of a writer. */
export const lateUntilMs = (mark: string): number | null =>
  mark.includes(LATE) ? Number(mark.slice(mark.indexOf(LATE) + LATE.length)) : null;

const isOver = (mark: string, atMs: number): boolean => (lateUntilMs(mark) ?? Number.POSITIVE_INFINITY) <= atMs;

/** Is anything of the scope to be announced now, where no writer is at work? */
export const isToAnnounce = (marks: readonly string[], scope: string, atMs: number): boolean =>
  marks.some((mark) => scopeOfMark(mark) === scope && (lateUntilMs(mark) === null || isOver(mark, atMs)));

/**
 * The marks after the scope was announced. A mark of another writer leaves a late one: the writer died, or was taken over.
 *
 * @param own mark of the writer that announces; null: nobody wrote
 */
export const marksAfter = (
  marks: readonly string[],
  { scope, own, atMs, lateMs }: { scope: string; own: string | null; atMs: number; lateMs: number },
): string[] => {
  const ofScope = marks.filter((mark) => scopeOfMark(mark) === scope);
  const left = marks.filter(
    (mark) => scopeOfMark(mark) !== scope || (lateUntilMs(mark) !== null && !isOver(mark, atMs)),
  );
  const isAnyLost = ofScope.some((mark) => lateUntilMs(mark) === null && mark !== own);
  return isAnyLost ? [...left, `${scope}${LATE}${atMs + lateMs}`] : left;
};

/** When the marks are to be looked at next, in epoch milliseconds; null: there is none. */
export const lookAtMs = (marks: readonly string[], atMs: number, openMs: number): number | null =>
  marks.length === 0 ? null : Math.min(...marks.map((mark) => lateUntilMs(mark) ?? atMs + openMs));

/**
 * True if `later` occurs at or behind the first place of `first`. One pattern with `.*` between the two would take
 * quadratic time on a text that repeats the first one; an institution may send megabytes.
 */
export const isInOrder = (text: string, first: RegExp, later: RegExp): boolean => {
  const at = text.search(first);
  return at >= 0 && later.test(text.slice(at));
};

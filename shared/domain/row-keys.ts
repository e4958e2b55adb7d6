/** Sort keys of rows as listed: descending order of these strings is the order of every list (decisions.md §7). */

/** No event day: such rows come last in a descending read. */
export const NO_DAY = '0000-00-00';
const SEPARATOR = '#';

export const rowSortKey = (day: string | null, instant: string | null, rowId: string): string =>
  [day ?? NO_DAY, instant ?? '', rowId].join(SEPARATOR);

export const rowSortKeyParts = (sortKey: string): { day: string; instant: string; rowId: string } => {
  const [day, instant, rowId] = sortKey.split(SEPARATOR) as [string, string, string];
  return { day, instant, rowId };
};

/** Sort keys of the days of a range, both included; null is open. Rows without a day are before any bound. */
export const daySpan = (from: string | null, to: string | null): { from: string; to?: string } => ({
  from: from ?? NO_DAY,
  ...(to === null ? {} : { to: `${to}${SEPARATOR}~` }),
});

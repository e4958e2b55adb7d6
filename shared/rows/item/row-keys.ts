/** Sort keys of listed rows. The descending order of the keys is the order of every list (decisions.md §7). */

/** Day of rows without an event day. Such rows come last in a descending read. */
export const NO_DAY = '0000-00-00';
const SEPARATOR = '#';

export const rowSortKey = (day: string | null, instant: string | null, rowId: string): string =>
  [day ?? NO_DAY, instant ?? '', rowId].join(SEPARATOR);

export const rowSortKeyParts = (sortKey: string): { day: string; instant: string; rowId: string } => {
  const [day, instant, rowId] = sortKey.split(SEPARATOR) as [string, string, string];
  return { day, instant, rowId };
};

/** Sorts after every sort key that has the same prefix. */
const LAST = '~';

/** Returns the key at which a descending read of this day and older days begins. */
export const daySeekKey = (day: string): string => `${day}${SEPARATOR}${LAST}`;

/**
 * Returns the shortest key at which a descending read begins with `older` and excludes `newer`, its direct neighbour on
 * the same day. Since ids are random, their first three digits usually distinguish two neighbours in a month.
 */
export const separatorKey = (newer: string, older: string): string => {
  const [above, below] = [rowSortKeyParts(newer), rowSortKeyParts(older)];
  if (above.instant !== below.instant) return rowSortKey(below.day, below.instant, LAST);
  const differ = [...below.rowId].findIndex((digit, at) => digit !== above.rowId[at]);
  const prefix = differ < 0 ? below.rowId : below.rowId.slice(0, differ + 1);
  return rowSortKey(below.day, below.instant, `${prefix}${LAST}`);
};

/**
 * Returns the first and last sort keys of a range of days, both included. A null day means that the range is unbounded
 * on this side. Rows without a day are below any bound.
 */
export const daySpan = (from: string | null, to: string | null): { from: string; to?: string } => ({
  from: from ?? NO_DAY,
  ...(to === null ? {} : { to: daySeekKey(to) }),
});

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

/** After every sort key that begins like what stands before it. */
const LAST = '~';

/** Where a descending read of a day and of what is older begins. */
export const daySeekKey = (day: string): string => `${day}${SEPARATOR}${LAST}`;

/**
 * The shortest key at which a descending read begins with `older` and leaves out `newer`, which comes right before it on
 * the same day. Ids are random: of a month's, the first three digits tell two neighbours apart.
 */
export const separatorKey = (newer: string, older: string): string => {
  const [above, below] = [rowSortKeyParts(newer), rowSortKeyParts(older)];
  if (above.instant !== below.instant) return rowSortKey(below.day, below.instant, LAST);
  const differ = [...below.rowId].findIndex((digit, at) => digit !== above.rowId[at]);
  const prefix = differ < 0 ? below.rowId : below.rowId.slice(0, differ + 1);
  return rowSortKey(below.day, below.instant, `${prefix}${LAST}`);
};

/** Sort keys of the days of a range, both included; null is open. Rows without a day are before any bound. */
export const daySpan = (from: string | null, to: string | null): { from: string; to?: string } => ({
  from: from ?? NO_DAY,
  ...(to === null ? {} : { to: daySeekKey(to) }),
});

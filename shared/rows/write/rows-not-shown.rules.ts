/** Stored rows of a month that a reading does not show: they stay, and the run says so (decisions.md §5). Pure. */

interface KnownRow {
  id: string;
}

/**
 * How many. Rows of some scopes leave a month for another one: of those, only a reading without any row is one to tell.
 * `removed`: rows that the same reading replaces.
 */
export const rowsNotShown = (
  stored: readonly KnownRow[],
  shown: readonly KnownRow[],
  { removed, showsAll }: { removed: readonly KnownRow[]; showsAll: boolean },
): number => {
  if (!showsAll && shown.length > 0) return 0;
  const known = new Set([...shown, ...removed].map(({ id }) => id));
  return stored.filter(({ id }) => !known.has(id)).length;
};

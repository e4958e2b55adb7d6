/**
 * Counts stored rows of a month that a reading does not show. They stay stored, and the run reports them (decisions.md
 * §5). Pure.
 */

interface KnownRow {
  id: string;
}

/**
 * Returns the number of stored rows that the reading does not show. In scopes whose rows may move to another month,
 * rows are counted only if the reading has no rows at all.
 *
 * @param removed rows that the same reading replaces
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

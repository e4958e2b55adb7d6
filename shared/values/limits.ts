/** Limits of changes that a reading may make to stored data (docs/adr/0016). */
export const CHANGE_LIMITS = {
  /** At most this many rows may change facts in one reading. A source corrects a few rows; a dozen mean a wrong answer. */
  changedRowsMax: 12,
  /** If a unit has at least this many rows, a change of all of them is probably wrong. */
  allRowsMin: 3,
} as const;

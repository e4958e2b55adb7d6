import type { PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import type { AccountWalk } from './heal-month.rules.ts';
import type { NotesToKeep } from './match-stored-rows.ts';

/** Numbers of rows that writing a period found, changed or left out. A number is 0 if no row applies. */
export interface PeriodCounts {
  found: number;
  created: number;
  updated: number;
  /**
   * Rows of the period that the run removed, counted by their tombstones: rows that the closed statement does not show, and
   * second copies of a row.
   */
  removed: number;
  /** Payments removed because their batch does not show them. */
  removedChildRows: number;
  /** Rows of an open statement that were not stored because the closed statement is stored. Not part of `found`. */
  ignored: number;
  /** Rows of a doubtful closed statement that were not stored, because the statement does not show every stored row. */
  doubtful: number;
  /** Rows whose number at the source differs from the stored number. */
  renumbered: number;
  /** Stored rows that this reading should show and does not show. They stay stored. */
  kept: number;
  /** Rows that kept a stored value because this reading lacks the value. */
  completed: number;
  /** Rows whose number now belongs to other data. */
  rewritten: number;
  /** Rows that this reading removed because the month adds up only without them. They are part of `removed`. */
  healed: number;
  /** Rows whose facts changed and were stored, because only a few changed. */
  corrected: number;
  /** Rows whose stored facts stay, because too many changed. */
  held: number;
  /** Hours after which the held rows are accepted if a reading shows the same. */
  heldHours: number;
  /** Stored rows that an older or cut copy of the month leaves out. They stay stored. */
  shorter: number;
  /** Stored rows whose closed statement came without rows. They stay stored. */
  emptied: number;
  /** Ids of stored rows that this month does not show and another month of the run may show. */
  notShown: readonly string[];
  /** Accounts whose statement was not stored, because it contradicts the stored rows or leaves some out. */
  unread: readonly string[];
  /** The stored movements of each account, walked by their balances. Empty in scopes without balances. */
  walks: readonly AccountWalk[];
  /** The source's totals compared with the stored rows; null when the source sent no totals. */
  totals: PeriodTotals | null;
  /** True if rows of an open statement are stored. */
  isOpen: boolean;
  /** Notes about row numbers, to store after the notices were stored (`keepNumberNotes`). */
  notes: NotesToKeep | null;
}

export const NOTHING_COUNTED: PeriodCounts = {
  ...{ found: 0, created: 0, updated: 0, removed: 0, removedChildRows: 0, ignored: 0, doubtful: 0 },
  ...{ renumbered: 0, kept: 0, completed: 0, rewritten: 0, totals: null, isOpen: false, notes: null },
  ...{ corrected: 0, held: 0, heldHours: 0, shorter: 0, emptied: 0, healed: 0, unread: [], notShown: [], walks: [] },
};

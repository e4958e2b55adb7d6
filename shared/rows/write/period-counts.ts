import type { PeriodTotals } from '#shared/rows/item/totals.rules.ts';
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
};

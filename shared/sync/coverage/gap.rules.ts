/**
 * Decides which notices mean that rows of a month may be missing. A month with one of these notices is not whole
 * (docs/adr/0032). Pure.
 */
import type { BANK_NOTICES } from '#shared/values/bank-notices.ts';
import type { READING_NOTICES } from '#shared/values/reading-notices.ts';

/** Tender notices are excluded because they concern no month. */
type MonthWord = keyof typeof READING_NOTICES | keyof typeof BANK_NOTICES;

/**
 * Says for the last word of each notice code whether rows of the month may be missing. True if the source shows no rows
 * or too few rows of the month, or if some rows were not stored. A new word does not compile until it has an entry
 * here.
 */
const LACKS_ROWS: Readonly<Record<MonthWord, boolean>> = {
  out_of_window: true,
  not_available: true,
  // The month was left out of the plan and is not read.
  not_begun: false,
  total_only: true,
  columns_missing: false,
  lines_unreadable: true,
  characters_damaged: false,
  // The verdict on the totals already reports the difference.
  totals_differ: false,
  fewer_than_total: true,
  // Applies only to a reading without any row (see `onePeriod`).
  rows_kept: true,
  rows_replaced: false,
  numbers_changed: false,
  rows_rewritten: false,
  // The rows are stored, with values of an earlier reading.
  facts_changed: true,
  facts_corrected: false,
  not_published: true,
  // This notice is about the list of accounts, not about a month. An account that is no longer listed is usually
  // closed.
  accounts_gone: false,
  accounts_unknown: false,
  // The month is over, but its closed statement was not stored.
  still_open: true,
  // The coverage reports the breaks themselves.
  balances_broken: false,
  statement_shorter: true,
  statement_partial: true,
  statement_doubtful: true,
  statement_missing: true,
  // This notice is about another month, which its message names.
  stored_differs: false,
  nothing_shown: true,
  currency_lost: false,
  // The notice says that rows of an open statement were ignored. They are not missing, because the month's closed
  // statement is stored.
  open_rows_ignored: false,
  doubtful_rows_ignored: true,
  transfers_repeated: true,
  states_unknown: true,
  numbers_shared: false,
  booked_late: false,
  rut_unverified: false,
  company_unverified: false,
  hold_unknown: false,
};

/**
 * True if a notice with this code means that rows may be missing. Returns undefined for a notice of tenders and for a
 * word that only another release knows.
 */
export const lacksRows = (code: string): boolean | undefined =>
  (LACKS_ROWS as Readonly<Record<string, boolean>>)[code.slice(code.lastIndexOf('.') + 1)];

/**
 * Returns the code of the notice that explains why the month is not whole. A `statement_missing` notice counts only if
 * its message names this month.
 */
export const gapIn = (
  notices: readonly { code: string; message: string }[],
  period: string | null,
): string | undefined =>
  notices.find(
    ({ code, message }) =>
      lacksRows(code) === true && (!code.endsWith('.statement_missing') || message.includes(period ?? '')),
  )?.code;

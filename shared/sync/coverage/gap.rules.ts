/** Which notices say that rows of a month may be missing: a month beside one of them is not whole (docs/adr/0032). Pure. */
import type { BANK_NOTICES } from '#shared/values/bank-notices.ts';
import type { READING_NOTICES } from '#shared/values/reading-notices.ts';

/** Those of tenders are of no month. */
type MonthWord = keyof typeof READING_NOTICES | keyof typeof BANK_NOTICES;

/**
 * By the word that ends a code. True: the source shows nothing of the month, or less than there is or was, or rows of it were
 * not stored. A new word does not compile until it is judged here.
 */
const LACKS_ROWS: Readonly<Record<MonthWord, boolean>> = {
  out_of_window: true,
  not_available: true,
  // Of a month that was left out of the plan: no reading tells it.
  not_begun: false,
  total_only: true,
  columns_missing: false,
  lines_unreadable: true,
  characters_damaged: false,
  // The verdict says it.
  totals_differ: false,
  fewer_than_total: true,
  // Told with a reading that showed no row at all: see `onePeriod`.
  rows_kept: true,
  rows_replaced: false,
  numbers_changed: false,
  rows_rewritten: false,
  not_published: true,
  // Told once, of the list of accounts and not of a month: an account that is not listed any more is mostly a closed one.
  accounts_gone: false,
  accounts_unknown: false,
  // The month is over, and what came of it is not its closed statement.
  still_open: true,
  statement_shorter: true,
  statement_partial: true,
  statement_doubtful: true,
  statement_missing: true,
  // Of another month, which the message names.
  stored_differs: false,
  // Of an open statement: its month is open, and read again when it is closed.
  opening_differs: false,
  nothing_shown: true,
  currency_lost: false,
  // The closed statement is stored.
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

/** Undefined: the word is of tenders, or of another release. */
export const lacksRows = (code: string): boolean | undefined =>
  (LACKS_ROWS as Readonly<Record<string, boolean>>)[code.slice(code.lastIndexOf('.') + 1)];

/** Code of the notice that says why a month is not whole. A list of statements may lack another month than this one. */
export const gapIn = (
  notices: readonly { code: string; message: string }[],
  period: string | null,
): string | undefined =>
  notices.find(
    ({ code, message }) =>
      lacksRows(code) === true && (!code.endsWith('.statement_missing') || message.includes(period ?? '')),
  )?.code;

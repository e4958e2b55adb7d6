/**
 * Parses the stored answers of a month into movements, notices, and the accounts whose statement is closed (banks.md
 * §3.3). Pure.
 */
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import type { StatementHeads } from '#shared/values/known-accounts.ts';
import { createMovementOrdinals } from '#shared/values/movement-ordinals.ts';
import { accountKey } from '#shared/values/statements.ts';
import { notice } from '../parsing/results.ts';
import type { AnswerKeys, Parsed, RawAnswer } from '../source.ts';
import { tellGoneAccounts } from '../truth/gone-accounts.ts';
import { checkChain, knownHeads, monthsBeside, type Neighbours, tellNothingShown } from '../truth/statement-chain.ts';
import { type KeyWatch, watchKeys } from '../truth/watch-keys.ts';
import { type AccountsPage, readAccountsPage } from './accounts-page.ts';
import { askedStatement, besideStatement, isOutOfWindow, nameAnswer, type StatementMonth } from './movements-pull.ts';
import { nothingThere } from './refusals.ts';
import { type BankthreeStatement, beginsMonth, endsMonth, monthSeen } from './statement.ts';
import type { StatementMovement } from './statement-records.ts';
import { unreadable } from './values.ts';
import { OPEN_MONTH } from './wire.ts';

const SOURCE = 'bankthree';
/** The text is the only field that may be missing without changing the movement's identity (banks.md §3.3). */
const KEYS: AnswerKeys = { rows: [], required: [], reported: ['text'], nullable: [] };

export function* parseMovements(month: StatementMonth, answers: readonly RawAnswer[]): Generator<Parsed> {
  const { period } = month;
  const page = answers.find(({ request }) => request.page === 'accounts');
  const portal = page && readAccountsPage(page.body);
  const reading: StatementReading = {
    ...{ month, answers, portal, told: new Map(), watch: watchKeys() },
    ordinalOf: createMovementOrdinals(),
  };
  for (const answer of answers) if (answer.request.page === 'statement') yield* readAnswer(answer, reading);
  yield* reading.watch.notice(`${SOURCE}.movements.columns_missing`, { period });
  if (portal === undefined) return;
  yield* tellGoneAccounts(SOURCE, portal.accounts, month.known);
  yield* tellMissing(period, portal, reading.told);
}

interface StatementReading {
  month: StatementMonth;
  answers: readonly RawAnswer[];
  portal: AccountsPage | undefined;
  /** Maps each account to true if an answer contains its data of this month. */
  told: Map<string, boolean>;
  watch: KeyWatch;
  ordinalOf: ReturnType<typeof createMovementOrdinals>;
}

function* readAnswer(answer: RawAnswer, reading: StatementReading): Generator<Parsed> {
  const { month, told } = reading;
  const { period, known } = month;
  const account = String(answer.request.account);
  const what = nameAnswer(period, answer.key);
  const statement = askedStatement(answer, month, what);
  const isTold = statement ? monthSeen(statement, period) === 'shown' : isEmpty(answer);
  told.set(account, isTold || (told.get(account) ?? false));
  if (!isTold) return;
  if (statement) return yield* readShown(statement, answer, what, reading);
  yield { account: { account } };
  yield* tellNothingShown(SOURCE, period, knownHeads(known, account, period));
}

function* readShown(
  statement: BankthreeStatement,
  answer: RawAnswer,
  what: string,
  reading: StatementReading,
): Generator<Parsed> {
  const { month, answers, portal, watch, ordinalOf } = reading;
  const { period } = month;
  checkCurrency(statement, portal?.currencies.get(String(answer.request.account)), what);
  // An open statement may continue after the end of the month; only rows of this month are used.
  const movements = statement.movements.filter(({ day }) => day.startsWith(period));
  const isWhole = yield* statement.isOpen
    ? openNotices(statement, movements.length, answer, month)
    : standsForMonth(statement, month, answers, what);
  for (const movement of movements) {
    watch.row(
      () => movement.text,
      KEYS,
      what,
      (text) => text === null,
    );
    const row = rowOf(period, statement, movement, !isWhole);
    const complete = { ...row, ordinal: ordinalOf(row) } satisfies StatementRow;
    yield { row: { row: complete, raw: movement.raw, answerKey: answer.key } };
  }
  if (!statement.isOpen && spansMonth(statement, period)) yield toldTotal(statement);
  const heads = headsOf(statement, period, movements.length);
  const isDoubtful = !statement.isOpen && !isWhole;
  if (isWhole) yield { closed: statement.account };
  if (isDoubtful) yield { doubtful: statement.account };
  yield { account: { account: statement.account, statement: { ...heads, isOpen: heads.isOpen || isDoubtful } } };
}

const spansMonth = (statement: BankthreeStatement, period: string): boolean =>
  beginsMonth(statement, period) && endsMonth(statement, period);

const toldTotal = ({ account, movements, opening, closing, charges, credits }: BankthreeStatement): Parsed => ({
  total: {
    group: { numero_cuenta: accountKey(account) },
    figures: { rows: String(movements.length), opening, charges, credits, closing },
  },
});

const headsOf = (statement: BankthreeStatement, period: string, rows: number): StatementHeads => ({
  opening: beginsMonth(statement, period) ? statement.opening : null,
  closing: statement.closing,
  isOpen: statement.isOpen,
  rows,
});

/** Throws when the statement's currency differs from the currency on the page with the accounts. */
const checkCurrency = ({ currency }: BankthreeStatement, told: string | undefined, what: string): void => {
  if (told !== undefined && currency !== told)
    throw unreadable({ what, line: 1 }, 'currency', 'is not that of the account');
};

/**
 * Returns true if the closed statement replaces its stored month: it covers the whole month and fits the neighbouring
 * months.
 */
function* standsForMonth(
  statement: BankthreeStatement,
  month: StatementMonth,
  answers: readonly RawAnswer[],
  what: string,
): Generator<Parsed, boolean> {
  const { period, known } = month;
  const isProven = yield* checkChain(statement, {
    source: SOURCE,
    account: statement.account,
    period,
    known,
    now: neighboursNow(statement, month, answers),
    refusal: (odd) =>
      odd === 'before'
        ? unreadable({ what, line: 1 }, 'opening balance', 'is not the closing one of the month before')
        : unreadable({ what, line: 1 }, 'closing balance', 'is not the opening one of the month after'),
  });
  if (spansMonth(statement, period)) return isProven;
  const { from, to } = statement;
  yield tell(
    month,
    'statement_partial',
    `the closed statement of an account goes from ${from} to ${to}, not over the whole month. Its movements are provisional, and change nothing that is stored.`,
  );
  return false;
}

const neighboursNow = (
  { account: own }: BankthreeStatement,
  { period, company }: StatementMonth,
  answers: readonly RawAnswer[],
): Neighbours => {
  const { before, after } = monthsBeside(period);
  const now: Neighbours = {};
  for (const answer of answers) {
    const { page, account, month } = answer.request;
    if (page !== 'beside' || accountKey(String(account)) !== accountKey(own)) continue;
    const beside = besideStatement(answer, company, nameAnswer(period, answer.key));
    if (beside && month === before && !beside.isOpen && endsMonth(beside, before)) now.closingBefore = beside.closing;
    if (beside && month === after && beginsMonth(beside, after)) now.openingAfter = beside.opening;
  }
  return now;
};

const tell = ({ period }: StatementMonth, what: 'still_open' | 'statement_partial', message: string): Parsed =>
  notice(`${SOURCE}.movements.${what}`, `${period}: ${message}`, { period });

/**
 * Reports contradictions of an open statement. Returns false, because an open statement never replaces its stored
 * month.
 */
function* openNotices(
  statement: BankthreeStatement,
  shown: number,
  answer: RawAnswer,
  month: StatementMonth,
): Generator<Parsed, false> {
  const { period, known } = month;
  const before = knownHeads(known, statement.account, period);
  if (answer.request.fecha !== OPEN_MONTH)
    yield tell(month, 'still_open', 'the bank lists the month as closed, and its statement is an open one.');
  if (shown === 0) yield* tellNothingShown(SOURCE, period, before);
  return false;
}

const isEmpty = (answer: RawAnswer): boolean => nothingThere(answer.body) === 'no_movements';

const rowOf = (
  period: string,
  { account, currency }: BankthreeStatement,
  { day, text, document, tipo, amountText, balanceText }: StatementMovement,
  provisional: boolean,
): Omit<StatementRow, 'ordinal'> => ({
  period,
  numero_cuenta: account,
  currency,
  fecha_movimiento: day,
  descripcion: text ?? undefined,
  documento: document,
  amount: amountText,
  saldo_contable: balanceText,
  tipo,
  direction: tipo === 'C' ? 'issued' : 'received',
  provisional,
});

/**
 * Returns a notice for a month that the bank does not offer. Such a month is not an error (§3.3), but must not look
 * like a month without movements.
 */
const tellMissing = (
  period: string,
  { accounts, closedMonths }: AccountsPage,
  told: ReadonlyMap<string, boolean>,
): Parsed[] => {
  const missing = accounts.filter((account) => !told.get(account)).length;
  if (missing === 0) return [];
  const tooOld = `The bank does not show statements of ${period} any more: it is too old.`;
  const notYet = `The bank has no statement of ${period} yet, or none any more, for ${missing} of ${accounts.length} accounts.`;
  return isOutOfWindow(closedMonths, period)
    ? [notice(`${SOURCE}.movements.out_of_window`, tooOld, { period })]
    : [notice(`${SOURCE}.movements.not_available`, notYet, { period, count: missing, total: accounts.length })];
};

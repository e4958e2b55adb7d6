/** Kept answers of a month → movements, notices, and the accounts whose statement is closed (banks.md §3.3). Pure. */
import type { StatementHeads } from '#shared/domain/known-accounts.ts';
import { createMovementOrdinals } from '#shared/domain/movement-ordinals.ts';
import { accountKey } from '#shared/domain/statements.ts';
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import type { AnswerKeys, Notice, Parsed, RawAnswer } from '../source.ts';
import { tellGoneAccounts } from '../truth/gone-accounts.ts';
import {
  knownNeighbours,
  latest,
  misfits,
  monthsBeside,
  type Neighbours,
  tellOpening,
  tellOutdated,
} from '../truth/statement-chain.ts';
import { watchKeys } from '../truth/watch-keys.ts';
import { type AccountsPage, readAccountsPage } from './accounts-page.ts';
import { askedStatement, besideStatement, isOutOfWindow, type Month, placeOf } from './movements-pull.ts';
import { nothingThere } from './refusals.ts';
import { monthSeen, type Statement } from './statement.ts';
import type { Movement } from './statement-records.ts';
import { unreadable } from './values.ts';
import { OPEN_MONTH } from './wire.ts';

const SOURCE = 'bankthree';
/** The text is the one field that may lack without a movement becoming another one (banks.md §3.3). */
const KEYS: AnswerKeys = { rows: [], required: [], told: ['text'], nullable: [] };

export function* parseMovements(month: Month, answers: readonly RawAnswer[]): Generator<Parsed> {
  const { period, known } = month;
  const ordinalOf = createMovementOrdinals();
  const watch = watchKeys();
  /** Account → does an answer say what this month was for it? */
  const told = new Map<string, boolean>();
  const page = answers.find(({ request }) => request.page === 'accounts');
  const portal = page && readAccountsPage(page.body);
  for (const answer of answers.filter(({ request }) => request.page === 'statement')) {
    const account = String(answer.request.account);
    const what = placeOf(period, answer.key);
    const statement = askedStatement(answer, month.company, period, what);
    const isTold = statement ? monthSeen(statement, period) === 'shown' : isEmpty(answer);
    told.set(account, isTold || (told.get(account) ?? false));
    if (!statement || !isTold) {
      if (!isTold) continue;
      yield { account: { account } };
      yield* nothingShown(heads(account, month), month);
      continue;
    }
    checkCurrency(statement, portal?.currencies.get(account), what);
    for (const movement of statement.movements) {
      // An open statement that goes on over a month's end shows two of them.
      if (!movement.day.startsWith(period)) continue;
      watch.row(
        () => movement.text,
        KEYS,
        what,
        (text) => text === null,
      );
      const row = rowOf(period, statement, movement);
      const complete = { ...row, ordinal: ordinalOf(row) } satisfies StatementRow;
      yield { row: { row: complete, raw: movement.raw, answerKey: answer.key } };
    }
    if (statement.isOpen) yield* openNotices(statement, answer, month);
    else {
      yield* checkChain(statement, month, answers, what);
      yield { closed: statement.account };
    }
    yield { account: { account: statement.account, statement: headsOf(statement) } };
  }
  for (const notice of watch.notice(`${SOURCE}.movements.columns_missing`, period)) yield { notice };
  if (portal === undefined) return;
  yield* tellGoneAccounts(SOURCE, portal.accounts, known);
  yield* notices(period, portal, told);
}

const headsOf = ({ opening, closing, isOpen, to, movements }: Statement): StatementHeads => ({
  opening,
  closing,
  isOpen,
  rows: movements.length,
  to,
});

/** The page with the accounts names the currency of each. */
const checkCurrency = ({ currency }: Statement, told: string | undefined, what: string): void => {
  if (told !== undefined && currency !== told)
    throw unreadable({ what, line: 1 }, 'currency', 'is not that of the account');
};

/** Does the statement stand between the months beside it? What the bank answers now counts before what is known. */
function* checkChain(
  statement: Statement,
  { period, company, known }: Month,
  answers: readonly RawAnswer[],
  what: string,
): Generator<Parsed> {
  const { before, after } = monthsBeside(period);
  const now: Neighbours = {};
  for (const answer of answers) {
    const { page, account, month } = answer.request;
    if (page !== 'beside' || accountKey(String(account)) !== accountKey(statement.account)) continue;
    const beside = besideStatement(answer, company, placeOf(period, answer.key));
    if (beside && month === before && !beside.isOpen) now.closingBefore = beside.closing;
    if (beside && month === after) now.openingAfter = beside.opening;
  }
  const was = knownNeighbours(known, statement.account, period);
  const [odd] = misfits(statement, latest(was, now));
  if (odd === 'before')
    throw unreadable({ what, line: 1 }, 'opening balance', 'is not the closing one of the month before');
  if (odd === 'after')
    throw unreadable({ what, line: 1 }, 'closing balance', 'is not the opening one of the month after');
  yield* tellOutdated(`${SOURCE}.movements.stored_differs`, period, was, now);
}

const heads = (account: string, { period, known }: Month): StatementHeads | undefined =>
  known?.statements[period]?.[accountKey(account)];

const tell = ({ period }: Month, what: string, message: string): Parsed => ({
  notice: { code: `${SOURCE}.movements.${what}`, message: `${period}: ${message}` },
});

/** An open statement deletes nothing: what is odd about it is told. */
function* openNotices(statement: Statement, answer: RawAnswer, month: Month): Generator<Parsed> {
  const before = heads(statement.account, month);
  if (statement.from === `${month.period}-01`)
    yield* tellOpening(SOURCE, statement.account, statement, month.period, month.known);
  if (answer.request.fecha !== OPEN_MONTH)
    yield tell(month, 'still_open', 'the bank lists the month as closed, and its statement is an open one.');
  if (statement.movements.length === 0) yield* nothingShown(before, month);
  else if (before?.isOpen && before.to !== null && statement.to < before.to)
    yield tell(
      month,
      'statement_shorter',
      `the open statement ends on ${statement.to}, the one read before on ${before.to}. What is stored was kept.`,
    );
}

/** What has no movements deletes none, and is told beside some that were read. */
function* nothingShown(before: StatementHeads | undefined, month: Month): Generator<Parsed> {
  if ((before?.rows ?? 0) === 0) return;
  yield tell(
    month,
    'nothing_shown',
    'the bank shows no movements of an account, and some were read before. They were kept.',
  );
}

const isEmpty = (answer: RawAnswer): boolean => nothingThere(answer.body) === 'no_movements';

const rowOf = (
  period: string,
  { account, currency, isOpen }: Statement,
  { day, text, document, tipo, amountText, balanceText }: Movement,
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
  provisional: isOpen,
});

/** A month that is not to be had is no error (§3.3), and must not pass for one without movements either. */
function* notices(
  period: string,
  { accounts, closedMonths }: AccountsPage,
  told: ReadonlyMap<string, boolean>,
): Generator<Parsed> {
  const missing = accounts.filter((account) => !told.get(account)).length;
  if (missing === 0) return;
  yield {
    notice: isOutOfWindow(closedMonths, period) ? outOfWindow(period) : notAvailable(period, missing, accounts.length),
  };
}

const outOfWindow = (period: string): Notice => ({
  code: 'bankthree.movements.out_of_window',
  message: `The bank does not show statements of ${period} any more: it is too old.`,
});

const notAvailable = (period: string, missing: number, accounts: number): Notice => ({
  code: 'bankthree.movements.not_available',
  message: `The bank has no statement of ${period} yet, or none any more, for ${missing} of ${accounts} accounts.`,
});

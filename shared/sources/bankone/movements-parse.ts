/**
 * Parses the stored answers of a month into movements (banks.md §3.1). Pure. The order of the answers does not change
 * the rows.
 */
import { addMonths } from '#shared/values/dates.ts';
import type { StatementHeads } from '#shared/values/known-accounts.ts';
import { accountKey } from '#shared/values/statements.ts';
import { inPages } from '../parsing/kept.ts';
import { notice, unexpected } from '../parsing/results.ts';
import type { Parsed, RawAnswer } from '../source.ts';
import { tellGoneAccounts } from '../truth/gone-accounts.ts';
import { checkChain, knownHeads, tellNothingShown } from '../truth/statement-chain.ts';
import { type KeyWatch, watchKeys } from '../truth/watch-keys.ts';
import { isInReach, keptAccounts, type ListedAccount } from './accounts.ts';
import { REPORTED_CURRENCY, readClosedStatement } from './closed-statement.ts';
import { findFolio, monthsLeftOut } from './folios.ts';
import { asked } from './kept.ts';
import { neighboursNow } from './movements-beside.ts';
import { closedList, foliosKey, type MovementsMonth, openKey } from './movements-pull.ts';
import { readOpenStatement } from './open-statement.ts';
import { keptPages } from './pages.ts';
import { STATEMENT_DEPTH_MONTHS } from './wire.ts';

export function* parseMovements({ period, known }: MovementsMonth, answers: readonly RawAnswer[]): Generator<Parsed> {
  const { accounts, today } = keptAccounts(answers);
  if (!isInReach(period, today, STATEMENT_DEPTH_MONTHS)) {
    yield notice(
      'bankone.movements.out_of_window',
      `The bank shows statements of the last ${STATEMENT_DEPTH_MONTHS} months: ${period} is not among them.`,
      { period },
    );
    return;
  }
  const month: MovementReading = {
    period,
    answers,
    known,
    watch: watchKeys(),
    isUnpublished: false,
    leftOut: new Set(),
  };
  for (const account of accounts) yield* accountRows(account, month);
  yield* month.watch.notice('bankone.movements.columns_missing', { period });
  yield* tellGoneAccounts(
    'bankone',
    accounts.map(({ number }) => number),
    known,
  );
  // An older month without a statement causes no notice, because the account may not have existed in that month.
  const isNewest = period >= addMonths(today.slice(0, 7), -1);
  if (month.isUnpublished && isNewest)
    yield notice(
      'bankone.movements.not_published',
      `The bank has not published the closed statement of ${period} yet: it does so on the first banking day.`,
      { period },
    );
  const gaps = [...month.leftOut].filter((gap) => gap !== period || !isNewest).sort();
  if (gaps.length > 0)
    yield notice(
      'bankone.movements.statement_missing',
      `The bank's list of closed statements leaves out ${gaps.join(', ')}, and shows older ones.`,
      { period, periods: gaps },
    );
}

interface MovementReading extends MovementsMonth {
  answers: readonly RawAnswer[];
  watch: KeyWatch;
  /** True if at least one account has no closed statement of the month. */
  isUnpublished: boolean;
  /** Months that the lists of closed statements omit. */
  leftOut: Set<string>;
}

function* accountRows(account: ListedAccount, month: MovementReading): Generator<Parsed> {
  const { period, answers, leftOut } = month;
  const folios = answers.find(({ key }) => key === foliosKey(account));
  if (folios === undefined) return yield* openRows(account, month);
  for (const gap of monthsLeftOut(folios, period)) leftOut.add(gap);
  if (findFolio(folios, period) !== undefined) return yield* closedRows(account, asked(folios, 'today'), month);
  month.isUnpublished = true;
  if (headsBefore(account, month)) leftOut.add(period);
}

const headsBefore = ({ number }: ListedAccount, { period, known }: MovementReading): StatementHeads | undefined =>
  knownHeads(known, number, period);

function* openRows(account: ListedAccount, month: MovementReading): Generator<Parsed> {
  const { period, answers, watch } = month;
  const pages = keptPages(answers, openKey(account), 'movimientos');
  const { rows, heads } = readOpenStatement(period, account, pages, watch);
  for (const row of rows) yield { row };
  if (rows.length === 0) yield* tellNothingShown('bankone', period, headsBefore(account, month));
  yield { account: { account: account.number, ...(heads && { statement: heads }) } };
}

function* closedRows(account: ListedAccount, today: string, month: MovementReading): Generator<Parsed> {
  const { period, answers, known, watch } = month;
  const list = closedList(account);
  const pages = inPages(answers.filter(({ request }) => request.list === list));
  const statement = readClosedStatement(period, account, pages, watch);
  if (statement === null) {
    yield* tellNothingShown('bankone', period, headsBefore(account, month));
    yield { account: { account: account.number } };
    return;
  }
  if (period >= today.slice(0, 7)) throw unexpected(list, 'is a closed statement of a month that is not over');
  const { rows, heads } = statement;
  const isProven = yield* checkChain(heads, {
    source: 'bankone',
    account: account.number,
    period,
    known,
    now: neighboursNow(account, period, answers),
    refusal: (odd) =>
      odd === 'before'
        ? unexpected(list, 'saldoInicial is not the closing balance of the month before')
        : unexpected(list, 'saldoFinal is not the opening balance of the month after'),
  });
  const { opening, closing } = heads;
  yield { total: { group: { numero_cuenta: accountKey(account.number) }, figures: { opening, closing } } };
  const before = headsBefore(account, month);
  if (!isProven) {
    const asOpen = { provisional: true, currency: account.currency };
    for (const row of rows) yield { row: { ...row, row: { ...row.row, ...asOpen } } };
    yield { doubtful: account.number };
    yield { account: { account: account.number, statement: { ...heads, isOpen: true } } };
    return;
  }
  for (const row of rows) yield { row };
  if (account.currency !== REPORTED_CURRENCY && before?.isOpen) yield currencyLost(period);
  yield { closed: account.number };
  yield { account: { account: account.number, statement: heads } };
}

/**
 * Returns the notice about the missing currency. The notice is reported once, because the next sync already knows that
 * the month is closed.
 */
const currencyLost = (period: string): Parsed =>
  notice(
    'bankone.movements.currency_lost',
    `${period}: closed statements name no currency. Movements of an account in another one say ${REPORTED_CURRENCY} from now on.`,
    { period },
  );

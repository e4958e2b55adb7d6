/** Kept answers of a month → movements (banks.md §3.1). Pure: the same answers give the same rows in any order. */
import { addMonths } from '#shared/values/dates.ts';
import type { KnownAccounts, StatementHeads } from '#shared/values/known-accounts.ts';
import type { Parsed, RawAnswer } from '../source.ts';
import { tellGoneAccounts } from '../truth/gone-accounts.ts';
import { checkChain, headsInDoubt, knownHeads, tellNothingShown, tellOpening } from '../truth/statement-chain.ts';
import { type KeyWatch, watchKeys } from '../truth/watch-keys.ts';
import { type Account, isInReach, keptAccounts } from './accounts.ts';
import { REPORTED_CURRENCY, readClosedStatement } from './closed-statement.ts';
import { unexpected } from './envelope.ts';
import { folioOf, monthsLeftOut } from './folios.ts';
import { asked } from './kept.ts';
import { neighboursNow } from './movements-beside.ts';
import { closedList, foliosKey, openKey } from './movements-pull.ts';
import { readOpenStatement } from './open-statement.ts';
import { wholeReading } from './pages.ts';
import { STATEMENT_DEPTH_MONTHS } from './wire.ts';

export function* parseMovements(
  period: string,
  answers: readonly RawAnswer[],
  known?: KnownAccounts,
): Generator<Parsed> {
  const { accounts, today } = keptAccounts(answers);
  if (!isInReach(period, today, STATEMENT_DEPTH_MONTHS)) {
    yield outOfWindow(period);
    return;
  }
  const watch = watchKeys();
  const month: Reading = { period, answers, known, watch };
  let isUnpublished = false;
  const leftOut = new Set<string>();
  for (const account of accounts) {
    const folios = answers.find(({ key }) => key === foliosKey(account));
    if (folios === undefined) {
      yield* openRows(account, month);
      continue;
    }
    for (const gap of monthsLeftOut(folios, period)) leftOut.add(gap);
    if (folioOf(folios, period) !== undefined) yield* closedRows(account, asked(folios, 'today'), month);
    else {
      isUnpublished = true;
      if (headsBefore(account, month)) leftOut.add(period);
    }
  }
  for (const notice of watch.notice('bankone.movements.columns_missing', period)) yield { notice };
  yield* tellGoneAccounts(
    'bankone',
    accounts.map(({ number }) => number),
    known,
  );
  // An account that did not exist yet has no older statement either, and nothing is to be said about it.
  const isNewest = period >= addMonths(today.slice(0, 7), -1);
  if (isUnpublished && isNewest) yield notPublished(period);
  const gaps = [...leftOut].filter((gap) => gap !== period || !isNewest).sort();
  if (gaps.length > 0) yield statementMissing(gaps);
}

interface Reading {
  period: string;
  answers: readonly RawAnswer[];
  known: KnownAccounts | undefined;
  watch: KeyWatch;
}

const listed = (answers: readonly RawAnswer[], list: string): RawAnswer[] =>
  answers.filter(({ request }) => request.list === list);

const headsBefore = ({ number }: Account, { period, known }: Reading): StatementHeads | undefined =>
  knownHeads(known, number, period);

function* openRows(account: Account, month: Reading): Generator<Parsed> {
  const { period, answers, watch } = month;
  const key = openKey(account);
  const pages = wholeReading(listed(answers, key), 'movimientos');
  if (pages === undefined) throw unexpected(key, 'no whole reading was kept');
  const { rows, heads } = readOpenStatement(period, account, pages, watch);
  for (const row of rows) yield { row };
  if (rows.length === 0) yield* tellNothingShown('bankone', period, headsBefore(account, month));
  if (heads !== undefined) yield* tellOpening('bankone', account.number, heads, period, month.known);
  yield { account: { account: account.number, ...(heads && { statement: heads }) } };
}

function* closedRows(account: Account, today: string, month: Reading): Generator<Parsed> {
  const { period, answers, known, watch } = month;
  const list = closedList(account);
  const pages = listed(answers, list).toSorted((a, b) => Number(a.request.page) - Number(b.request.page));
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
  const before = headsBefore(account, month);
  if (!isProven) {
    const asOpen = { provisional: true, currency: account.currency };
    for (const row of rows) yield { row: { ...row, row: { ...row.row, ...asOpen } } };
    yield { doubtful: account.number };
    yield { account: { account: account.number, ...headsInDoubt(heads, before) } };
    return;
  }
  for (const row of rows) yield { row };
  if (account.currency !== REPORTED_CURRENCY && before?.isOpen) yield currencyLost(period);
  yield { closed: account.number };
  yield { account: { account: account.number, statement: heads } };
}

const outOfWindow = (period: string): Parsed => ({
  notice: {
    code: 'bankone.movements.out_of_window',
    message: `The bank shows statements of the last ${STATEMENT_DEPTH_MONTHS} months: ${period} is not among them.`,
  },
});

const notPublished = (period: string): Parsed => ({
  notice: {
    code: 'bankone.movements.not_published',
    message: `The bank has not published the closed statement of ${period} yet: it does so on the first banking day.`,
  },
});

const statementMissing = (gaps: readonly string[]): Parsed => ({
  notice: {
    code: 'bankone.movements.statement_missing',
    message: `The bank's list of closed statements leaves out ${gaps.join(', ')}, and shows older ones.`,
  },
});

/** Once: the next reading knows the month as closed. */
const currencyLost = (period: string): Parsed => ({
  notice: {
    code: 'bankone.movements.currency_lost',
    message: `${period}: closed statements name no currency. Movements of an account in another one say ${REPORTED_CURRENCY} from now on.`,
  },
});

/** Kept answers of a month → movements (banks.md §3.1). Pure: the same answers give the same rows in any order. */
import { addMonths } from '#shared/domain/dates.ts';
import type { Parsed, RawAnswer } from '../source.ts';
import { type Account, isInReach, keptAccounts } from './accounts.ts';
import { parseClosedStatement } from './closed-statement.ts';
import { unexpected } from './envelope.ts';
import { folioOf, foliosKey, openKey } from './movements-pull.ts';
import { parseOpenStatement } from './open-statement.ts';
import { wholeReading } from './pages.ts';
import { STATEMENT_DEPTH_MONTHS } from './wire.ts';

export function* parseMovements(period: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const { accounts, today } = keptAccounts(answers);
  if (!isInReach(period, today, STATEMENT_DEPTH_MONTHS)) {
    yield outOfWindow(period);
    return;
  }
  let isUnpublished = false;
  for (const account of accounts) {
    const folios = answers.find(({ key }) => key === foliosKey(account));
    if (folios === undefined) yield* openRows(period, account, answers);
    else if (folioOf(folios, period) !== undefined) yield* closedRows(period, account, answers);
    else isUnpublished = true;
  }
  // An account that did not exist yet has no older statement either, and nothing is to be said about it.
  if (isUnpublished && period >= addMonths(today.slice(0, 7), -1)) yield notPublished(period);
}

const listed = (answers: readonly RawAnswer[], list: string): RawAnswer[] =>
  answers.filter(({ request }) => request.list === list);

function* openRows(period: string, account: Account, answers: readonly RawAnswer[]): Generator<Parsed> {
  const key = openKey(account);
  const pages = wholeReading(listed(answers, key), 'movimientos');
  if (pages === undefined) throw unexpected(key, 'no whole reading was kept');
  yield* parseOpenStatement(period, account, pages);
}

function* closedRows(period: string, account: Account, answers: readonly RawAnswer[]): Generator<Parsed> {
  const pages = listed(answers, `closed/${account.place}`);
  yield* parseClosedStatement(
    period,
    account,
    pages.toSorted((a, b) => Number(a.request.page) - Number(b.request.page)),
  );
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

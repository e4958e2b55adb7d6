/**
 * Movements of a month come from two endpoints: the open statement of the current month, in pages, and the closed ones
 * by folio (banks.md §3.1). Between month end and the first banking day there is neither.
 */
import type { Ask, Progress, RawAnswer } from '../source.ts';
import { type Balances, monthsInDoubt } from '../truth/statement-chain.ts';
import { type Account, type Accounts, isInReach } from './accounts.ts';
import { askFolios, askStatementPage, type Month } from './ask-statements.ts';
import type { BankClient } from './client.ts';
import { unexpected } from './envelope.ts';
import { folioOf } from './folios.ts';
import { bodyOf, checkEcho } from './kept.ts';
import { requireDottedBalance } from './money.ts';
import { pullBeside } from './movements-beside.ts';
import { pullPages } from './pages.ts';
import { readCount, readCurrency, unreadable } from './values.ts';
import { OPEN_STATEMENT_URL, PAGES_MAX, STATEMENT_DEPTH_MONTHS } from './wire.ts';

export const openKey = (account: Account): string => `open/${account.place}`;
export const foliosKey = (account: Account): string => `statements/${account.place}`;
export const closedList = (account: Account): string => `closed/${account.place}`;

export const pullMovements = async (
  month: Month,
  { accounts, today }: Accounts,
  client: BankClient,
  ask: Ask,
  progress: Progress,
): Promise<void> => {
  const { period } = month;
  if (!isInReach(period, today, STATEMENT_DEPTH_MONTHS)) return;
  for (const account of accounts) {
    progress(`movements ${period}: account ${account.place} of ${accounts.length}`);
    // The month may have closed since the accounts were asked for.
    if (period === today.slice(0, 7) && (await pullOpen(account, period, today, client, ask))) continue;
    await pullClosed(account, month, client, ask);
  }
};

const compact = (day: string): string => day.replaceAll('-', '');

/** With both days: without them the portal shows the month that is current when the question arrives. */
const pullOpen = (account: Account, period: string, today: string, client: BankClient, ask: Ask): Promise<boolean> => {
  const key = openKey(account);
  return pullPages(
    {
      key,
      url: OPEN_STATEMENT_URL,
      body: { numeroCuenta: account.number, fechaInicio: compact(`${period}-01`), fechaFin: compact(today) },
      rows: 'movimientos',
      request: { account: account.number },
      names: 'company',
      check: (body) => {
        checkEcho(body, 'numeroCuenta', account.number, key);
        const place = { answerKey: key, row: 0 };
        if (readCurrency(body, 'moneda', place) !== account.currency)
          throw unreadable(place, 'moneda', 'is not that of the account');
      },
      refusals: ['PERIODO_CERRADO'],
    },
    client,
    ask,
  );
};

const pullClosed = async (account: Account, month: Month, client: BankClient, ask: Ask): Promise<void> => {
  const { period, known } = month;
  const folios = await askFolios(account, foliosKey(account), period, month.today(), client, ask);
  const folio = folioOf(folios, period);
  if (folio === undefined) return;
  const list = closedList(account);
  const pageOf = (page: number) =>
    askStatementPage(account, { key: `${list}/${page}`, list, period, folio, page }, client, ask);
  const first = await pageOf(1);
  const pages = pageCount(first);
  for (let page = 2; page <= pages; page++) {
    const answer = await pageOf(page);
    if (pageCount(answer) !== pages) throw unexpected(answer.key, 'totalPaginas changed between two pages');
  }
  const heads = closedHeadsIn(first);
  const doubtful = heads === null ? [] : monthsInDoubt(heads, known, account.number, period);
  for (const beside of doubtful) await pullBeside(account, beside, month, client, ask);
};

/** Null: the statement is "no data". */
const closedHeadsIn = (answer: RawAnswer): Balances | null => {
  const body = bodyOf(answer);
  const place = { answerKey: answer.key, row: 0 };
  return (
    body && {
      opening: requireDottedBalance(body, 'saldoInicial', place),
      closing: requireDottedBalance(body, 'saldoFinal', place),
    }
  );
};

/** A statement without lines may say 0 pages; it still is one answer. */
export const pageCount = (answer: RawAnswer): number => {
  const body = bodyOf(answer);
  if (body === null) return 1;
  const count = readCount(body, 'totalPaginas', { answerKey: answer.key, row: 0 });
  if (count > PAGES_MAX) throw unexpected(answer.key, `more than ${PAGES_MAX} pages`);
  return Math.max(1, count);
};

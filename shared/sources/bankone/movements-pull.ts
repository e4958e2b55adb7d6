/**
 * Fetches the movements of a month from two endpoints: the open statement of the current month in pages, and a closed
 * statement by its folio (banks.md §3.1). Between the end of the month and the first banking day no endpoint has the
 * month.
 */
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { unexpected } from '../parsing/results.ts';
import { unreadable } from '../parsing/values.ts';
import type { JsonObject, RawAnswer } from '../source.ts';
import { monthsInDoubt } from '../truth/statement-chain.ts';
import { type Accounts, isInReach, type ListedAccount } from './accounts.ts';
import { askFolios, askStatementPage } from './ask-statements.ts';
import type { BankClient } from './client.ts';
import { findFolio } from './folios.ts';
import { checkEcho, compact, parseBody } from './kept.ts';
import { readDottedHeads } from './money.ts';
import { pullBeside } from './movements-beside.ts';
import { pullPages } from './pages.ts';
import { readCount, readCurrency } from './values.ts';
import { OPEN_STATEMENT_URL, PAGES_MAX, STATEMENT_DEPTH_MONTHS } from './wire.ts';

export interface MovementsMonth {
  period: string;
  known: KnownAccounts | undefined;
}

export const openKey = (account: ListedAccount): string => `open/${account.place}`;
export const foliosKey = (account: ListedAccount): string => `statements/${account.place}`;
export const closedList = (account: ListedAccount): string => `closed/${account.place}`;

export const pullMovements = async (
  month: MovementsMonth,
  { accounts, today }: Accounts,
  client: BankClient,
): Promise<void> => {
  const { period } = month;
  if (!isInReach(period, today, STATEMENT_DEPTH_MONTHS)) return;
  for (const account of accounts) {
    client.progress(`movements ${period}: account ${account.place} of ${accounts.length}`);
    // The month may have closed since the accounts were requested. The portal then refuses the open statement, and the
    // closed statement is requested.
    if (period === today.slice(0, 7) && (await pullOpen(account, period, today, client))) continue;
    await pullClosed(account, month, client);
  }
};

/**
 * Requests the open statement; returns false if the bank says that the month is closed. The request contains both days,
 * because without days the portal shows the month that is current when the request arrives.
 */
const pullOpen = async (
  account: ListedAccount,
  period: string,
  today: string,
  client: BankClient,
): Promise<boolean> => {
  const key = openKey(account);
  const list = {
    key,
    url: OPEN_STATEMENT_URL,
    body: { numeroCuenta: account.number, fechaInicio: compact(`${period}-01`), fechaFin: compact(today) },
    rows: 'movimientos' as const,
    request: { account: account.number },
    names: 'company' as const,
    check: (body: JsonObject) => {
      checkEcho(body, 'numeroCuenta', account.number, key);
      const place = { answerKey: key, row: 0 };
      if (readCurrency(body, 'moneda', place) !== account.currency)
        throw unreadable(place, 'moneda', 'is not that of the account');
    },
    refusals: ['PERIODO_CERRADO'],
  };
  return (await pullPages(list, client)) !== undefined;
};

const pullClosed = async (
  account: ListedAccount,
  { period, known }: MovementsMonth,
  client: BankClient,
): Promise<void> => {
  const folio = findFolio(await askFolios(account, foliosKey(account), period, client), period);
  if (folio === undefined) return;
  const list = closedList(account);
  const pageOf = (page: number) =>
    askStatementPage(account, { key: `${list}/${page}`, list, period, folio, page }, client);
  const first = await pageOf(1);
  const pages = pageCount(first);
  for (let page = 2; page <= pages; page++) {
    const answer = await pageOf(page);
    if (pageCount(answer) !== pages) throw unexpected(answer.key, 'totalPaginas changed between two pages');
  }
  const body = parseBody(first);
  const doubtful = body ? monthsInDoubt(readDottedHeads(body, first.key), known, account.number, period) : [];
  for (const beside of doubtful) await pullBeside(account, beside, client);
};

/**
 * Returns the number of answers of a statement. A statement without lines may report 0 pages but still consists of one
 * answer.
 */
export const pageCount = (answer: RawAnswer): number => {
  const body = parseBody(answer);
  if (body === null) return 1;
  const count = readCount(body, 'totalPaginas', { answerKey: answer.key, row: 0 });
  if (count > PAGES_MAX) throw unexpected(answer.key, `more than ${PAGES_MAX} pages`);
  return Math.max(1, count);
};

/**
 * Fetches all movements of a month, account by account and page by page. Only stored answers decide each step, so that
 * a later worker requests only the missing pages.
 */
import { unexpected } from '../parsing/results.ts';
import { SourceError } from '../source.ts';
import { accountsIn, askAccounts, type ListedAccount } from './accounts.ts';
import { readObject } from './body.ts';
import type { ApiClient } from './client.ts';
import { PAGES_MAX, WINDOW_ROUNDS_MAX } from './limits.ts';
import { type Cursor, type MovementsPage, readPage } from './movements-page.ts';
import { buildMonthWindow, type Window, windowIn } from './movements-window.ts';
import { BankCursorExpired } from './refusals.ts';
import { NO_MOVEMENT, TRANSACTIONS_URL } from './wire.ts';

export const pullMovements = async (period: string, client: ApiClient): Promise<void> => {
  const answer = await askAccounts(client, buildMonthWindow(period, client.now()));
  const { accounts } = accountsIn([answer]);
  const window = windowIn(answer.request);
  if (window === null) return;
  let read = 0;
  for (const [i, account] of accounts.entries()) {
    await readWindow(account, window, client, (rows) => {
      read += rows;
      const of = `account ${i + 1} of ${accounts.length}`;
      client.progress(`movements ${period}: ${read.toLocaleString('en-US')} read, ${of}`);
    });
  }
};

type OnRows = (rows: number) => void;

/**
 * Reads all pages of a window. A cursor lives 5 minutes; if the cursor of an earlier worker has expired (409, §3.2),
 * the window is read again from the start.
 */
const readWindow = async (account: ListedAccount, window: Window, client: ApiClient, onRows: OnRows): Promise<void> => {
  for (let round = 1; round <= WINDOW_ROUNDS_MAX; round++) {
    try {
      return await readPages({ account, window, round }, client, onRows);
    } catch (error) {
      if (!(error instanceof BankCursorExpired)) throw error;
    }
  }
  throw new SourceError('source.unavailable', `movements, ${account.name}: the cursor expired repeatedly`);
};

interface WindowRound {
  account: ListedAccount;
  window: Window;
  round: number;
}

const FIRST: Cursor = { startMovement: NO_MOVEMENT, endMovement: NO_MOVEMENT };

const readPages = async (round: WindowRound, client: ApiClient, onRows: OnRows): Promise<void> => {
  const what = `movements, ${round.account.name}`;
  const known = new Set<string>();
  let cursor: Cursor | null = FIRST;
  for (let n = 1; cursor !== null; n++) {
    if (n > PAGES_MAX) throw unexpected(what, `more than ${PAGES_MAX} pages`);
    const page = await askPage(round, n, cursor, client);
    onRows(page.movements.length);
    cursor = page.next;
    const before = known.size;
    for (const { row } of page.movements) known.add(JSON.stringify([row.fecha_contable, row.movement_number]));
    if (cursor !== null && known.size === before) throw unexpected(`${what}, page ${n}`, 'nothing but known movements');
  }
};

const askPage = async (
  { account, window, round }: WindowRound,
  page: number,
  cursor: Cursor,
  client: ApiClient,
): Promise<MovementsPage> => {
  const { accountId, currency, name } = account;
  // The key contains the account's position in the list, because keys and messages contain no account number.
  const key = `movements/${name}/${round}/${page}`;
  const read = (body: Parameters<typeof readPage>[0]) => readPage(body, account, window, key);
  const call = {
    what: key,
    url: TRANSACTIONS_URL,
    body: { accountId, currency, ...window, ...cursor },
    kept: { call: 'transactions', accountId, ...window, round, page },
  };
  return read(readObject((await client.ask(call, read)).body, key));
};

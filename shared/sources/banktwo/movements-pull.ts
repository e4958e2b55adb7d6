/**
 * All movements of a month, account by account, page by page. Every step is decided by kept answers alone, so that
 * a worker that comes later asks only for the rest.
 */
import type { Ask, Progress } from '../source.ts';
import { SourceError } from '../source.ts';
import { type Account, accountsIn, askAccounts } from './accounts.ts';
import { readObject } from './body.ts';
import type { ApiClient } from './client.ts';
import { PAGES_MAX, WINDOW_ROUNDS_MAX } from './limits.ts';
import { type Cursor, type Page, readPage } from './movements-page.ts';
import { type Window, windowIn, windowOf } from './movements-window.ts';
import { CursorExpired } from './refusals.ts';
import { NO_MOVEMENT, TRANSACTIONS_URL } from './wire.ts';

export const pullMovements = async (
  period: string,
  nowMs: number,
  client: ApiClient,
  ask: Ask,
  progress: Progress,
): Promise<void> => {
  const answer = await askAccounts(client, ask, windowOf(period, nowMs));
  const { accounts } = accountsIn([answer]);
  const window = windowIn(answer.request);
  if (window === null) return;
  let read = 0;
  for (const [i, account] of accounts.entries()) {
    await readWindow(account, window, client, ask, (rows) => {
      read += rows;
      const of = `account ${i + 1} of ${accounts.length}`;
      progress(`movements ${period}: ${read.toLocaleString('en-US')} read, ${of}`);
    });
  }
};

/** A cursor lives 5 minutes: one that a worker left behind may be too old, and the window begins anew (409, §3.2). */
const readWindow = async (
  account: Account,
  window: Window,
  client: ApiClient,
  ask: Ask,
  told: (rows: number) => void,
): Promise<void> => {
  for (let round = 1; round <= WINDOW_ROUNDS_MAX; round++) {
    try {
      return await readPages(account, window, round, client, ask, told);
    } catch (error) {
      if (!(error instanceof CursorExpired)) throw error;
    }
  }
  throw new SourceError('source.unavailable', `movements, ${account.name}: the bank forgot the cursor again and again`);
};

const FIRST: Cursor = { startMovement: NO_MOVEMENT, endMovement: NO_MOVEMENT };

const readPages = async (
  account: Account,
  window: Window,
  round: number,
  client: ApiClient,
  ask: Ask,
  told: (rows: number) => void,
): Promise<void> => {
  const known = new Set<string>();
  let cursor: Cursor | null = FIRST;
  for (let n = 1; cursor !== null; n++) {
    if (n > PAGES_MAX)
      throw new SourceError('source.unexpected_response', `movements, ${account.name}: more than ${PAGES_MAX} pages`);
    const page = await askPage(account, window, { round, page: n, cursor }, client, ask);
    told(page.movements.length);
    cursor = page.next;
    const before = known.size;
    for (const { row } of page.movements) known.add(JSON.stringify([row.fecha_contable, row.movement_number]));
    if (cursor !== null && known.size === before)
      throw new SourceError(
        'source.unexpected_response',
        `movements, ${account.name}, page ${n}: nothing but known movements`,
      );
  }
};

interface DeliveryContext {
  round: number;
  page: number;
  cursor: Cursor;
}

const askPage = async (
  account: Account,
  window: Window,
  { round, page, cursor }: DeliveryContext,
  client: ApiClient,
  ask: Ask,
): Promise<Page> => {
  const { accountId, currency, name } = account;
  // By place in the list, not by number: keys and messages name no account.
  const key = `movements/${name}/${round}/${page}`;
  const read = (body: Parameters<typeof readPage>[0]) => readPage(body, account, window, key);
  const answer = await ask(key, () =>
    client.fetch(
      {
        what: key,
        url: TRANSACTIONS_URL,
        body: { accountId, currency, ...window, ...cursor },
        kept: { call: 'transactions', accountId, ...window, round, page },
      },
      read,
    ),
  );
  return read(readObject(answer.body, key));
};

/**
 * Movements of a month come from two endpoints: the open statement of the current month, in pages, and the closed ones
 * by folio (banks.md §3.1). Between month end and the first banking day there is neither.
 */
import type { Ask, Progress, RawAnswer } from '../source.ts';
import { type Account, type Accounts, isInReach } from './accounts.ts';
import type { BankClient } from './client.ts';
import { unexpected } from './envelope.ts';
import { bodyOf, checkEcho, rowsIn } from './kept.ts';
import { pullPages } from './pages.ts';
import { readCount, readCurrency, readKey, unreadable } from './values.ts';
import { OPEN_STATEMENT_URL, PAGES_MAX, STATEMENT_DEPTH_MONTHS, STATEMENT_URL, STATEMENTS_URL } from './wire.ts';

export const openKey = (account: Account): string => `open/${account.place}`;
export const foliosKey = (account: Account): string => `statements/${account.place}`;
const pageKey = (account: Account, page: number): string => `closed/${account.place}/${page}`;

export const pullMovements = async (
  period: string,
  { accounts, today }: Accounts,
  client: BankClient,
  ask: Ask,
  progress: Progress,
): Promise<void> => {
  if (!isInReach(period, today, STATEMENT_DEPTH_MONTHS)) return;
  for (const account of accounts) {
    progress(`movements ${period}: account ${account.place} of ${accounts.length}`);
    // The month may have closed since the accounts were asked for.
    if (period === today.slice(0, 7) && (await pullOpen(account, period, today, client, ask))) continue;
    await pullClosed(account, period, client, ask);
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

const pullClosed = async (account: Account, period: string, client: BankClient, ask: Ask): Promise<void> => {
  const { number } = account;
  const key = foliosKey(account);
  const folios = await ask(key, () =>
    client.fetch({
      what: key,
      url: STATEMENTS_URL,
      body: { numeroCuenta: number, anio: period.slice(0, 4) },
      request: { list: 'statements', account: number },
      names: 'account',
      check: (body) => checkEcho(body, 'numeroCuenta', number, key),
    }),
  );
  const folio = folioOf(folios, period);
  if (folio === undefined) return;
  let pages = 1;
  for (let page = 1; page <= pages; page++) {
    const answer = await pullPage(account, period, folio, page, client, ask);
    const total = pageCount(answer);
    if (page === 1) pages = total;
    else if (total !== pages) throw unexpected(answer.key, 'totalPaginas changed between two pages');
  }
};

const pullPage = (account: Account, period: string, folio: string, page: number, client: BankClient, ask: Ask) => {
  const key = pageKey(account, page);
  return ask(key, () =>
    client.fetch({
      what: key,
      url: STATEMENT_URL,
      body: { numeroCuenta: account.number, folio, pagina: page },
      request: { list: `closed/${account.place}`, account: account.number, page },
      names: 'account',
      check: (body) => {
        checkEcho(body, 'numeroCuenta', account.number, key);
        checkEcho(body, 'folio', folio, key);
        checkEcho(body, 'periodo', period, key);
      },
    }),
  );
};

/** Undefined while the statement is not published, and for a month in which the account did not exist. */
export const folioOf = (answer: RawAnswer, period: string): string | undefined => {
  const body = bodyOf(answer);
  if (body === null) return undefined;
  const folios: string[] = [];
  for (const { raw, place } of rowsIn(body, 'cartolas', answer.key)) {
    const folio = readKey(raw, 'folio', place);
    if (readKey(raw, 'periodo', place) === period) folios.push(folio);
  }
  // Nobody saw this: which of them counts would be a guess.
  if (folios.length > 1) throw unexpected(answer.key, `several statements of ${period}`);
  return folios[0];
};

/** A statement without lines may say 0 pages; it still is one answer. */
export const pageCount = (answer: RawAnswer): number => {
  const body = bodyOf(answer);
  if (body === null) return 1;
  const count = readCount(body, 'totalPaginas', { answerKey: answer.key, row: 0 });
  if (count > PAGES_MAX) throw unexpected(answer.key, `more than ${PAGES_MAX} pages`);
  return Math.max(1, count);
};

/** Requests closed statements: the list of a year's folios, and one page of a statement (banks.md §3.1). */
import type { RawAnswer } from '../source.ts';
import type { ListedAccount } from './accounts.ts';
import type { BankClient } from './client.ts';
import { checkEcho } from './kept.ts';
import { STATEMENT_URL, STATEMENTS_URL } from './wire.ts';

/**
 * Requests the list of folios. The day of the request is stored with the list, because a month that is not over on this
 * day has no closed statement.
 */
export const askFolios = (
  { number }: ListedAccount,
  key: string,
  period: string,
  client: BankClient,
): Promise<RawAnswer> =>
  client.ask({
    what: key,
    url: STATEMENTS_URL,
    body: { numeroCuenta: number, anio: period.slice(0, 4) },
    request: { list: 'statements', account: number, today: client.today() },
    names: 'account',
    check: (body) => checkEcho(body, 'numeroCuenta', number, key),
  });

interface StatementPage {
  key: string;
  list: string;
  period: string;
  folio: string;
  page: number;
}

export const askStatementPage = (
  { number }: ListedAccount,
  { key, list, period, folio, page }: StatementPage,
  client: BankClient,
): Promise<RawAnswer> =>
  client.ask({
    what: key,
    url: STATEMENT_URL,
    body: { numeroCuenta: number, folio, pagina: page },
    request: { list, account: number, page },
    names: 'account',
    check: (body) => {
      checkEcho(body, 'numeroCuenta', number, key);
      checkEcho(body, 'folio', folio, key);
      checkEcho(body, 'periodo', period, key);
    },
  });

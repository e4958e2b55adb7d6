/**
 * Balances (banks.md §3.3). The file of balances names no company, and after a wrong selection it shows another
 * company's money (§1.6). If no statement of this session has named the company, the adapter checks one statement
 * before it accepts the balances.
 */
import { santiagoDay } from '#shared/values/dates.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { accountKey } from '#shared/values/statements.ts';
import { checkedAnswer, notice } from '../parsing/results.ts';
import type { Parsed, RawAnswer, UnparsedAnswer } from '../source.ts';
import { tellGoneAccounts } from '../truth/gone-accounts.ts';
import { isObservedNear } from '../truth/observed-day.ts';
import { type AccountsPage, readAccountsPage } from './accounts-page.ts';
import { type Balance, readBalances } from './balances-table.ts';
import type { PortalPull } from './client.ts';
import { COMPANY_CHECKS_MAX } from './limits.ts';
import { checkedPage } from './movements-pull.ts';
import { nothingThere } from './refusals.ts';
import { checkAccount, checkCompany, readFirstLine } from './statement.ts';
import { unreadable } from './values.ts';
import { OPEN_MONTH } from './wire.ts';

const placeOf = (key: string): string => `balances, ${key}`;

export const pullBalances = async (company: string, { client, open, ask, io }: PortalPull): Promise<void> => {
  await ask('accounts', () => checkedPage(client));
  const answer = await ask('balances', async () => {
    const { request, ...rest } = await client.balances();
    const today = santiagoDay(io.now());
    return checkedAnswer({ ...request, today }, rest, ({ body }) => readBalances(body, placeOf('balances')));
  });
  if (open.company() === company) return;
  const accounts = new Set(readBalances(answer.body, placeOf('balances')).map(({ balance }) => balance.numero_cuenta));
  for (const [at, account] of [...accounts].slice(0, COMPANY_CHECKS_MAX).entries()) {
    const key = `company/${at + 1}`;
    const kept = await ask(key, async () => {
      const { request, ...rest } = await client.statement({ account, fecha: OPEN_MONTH });
      // Checks only the company. The movements scope reads the content of the statement.
      return checkedAnswer(request, rest, (statement) => {
        if (!isStatement(statement)) return;
        const header = readFirstLine(statement.body, placeOf(key));
        checkCompany(header, company, placeOf(key));
        checkAccount(header, account, placeOf(key));
      });
    });
    if (isStatement(kept)) {
      open.seeCompany(company);
      return;
    }
  }
};

const isStatement = (answer: UnparsedAnswer): boolean => nothingThere(answer.body) === undefined;

export function* parseBalances(answers: readonly RawAnswer[], known?: KnownAccounts): Generator<Parsed> {
  const statements = answers.filter(({ request }) => request.page === 'statement');
  const page = answers.find(({ request }) => request.page === 'accounts');
  const portal = page && readAccountsPage(page.body);
  const shown = new Set(portal?.accounts.map(accountKey));
  const listed: string[] = [];
  for (const answer of answers.filter(({ request }) => request.page === 'balances')) {
    for (const [at, { balance, raw }] of readBalances(answer.body, placeOf(answer.key)).entries()) {
      const account = balance.numero_cuenta;
      checkBalance(balance, portal, answer, at + 2);
      listed.push(account);
      yield { row: { row: { ...balance }, raw, answerKey: answer.key } };
      if (shown.has(accountKey(account))) yield { account: { account } };
    }
  }
  if (portal)
    yield* tellGoneAccounts('bankthree', portal.accounts, known, { name: 'the file of balances', accounts: listed });
  if (statements.length > 0 && !statements.some(isStatement))
    yield notice(
      'bankthree.balances.company_unverified',
      'No statement could be had that names the company of these balances.',
      {},
    );
}

const checkBalance = (balance: Balance, portal: AccountsPage | undefined, answer: RawAnswer, line: number): void => {
  const place = { what: placeOf(answer.key), line };
  const told = portal?.currencies.get(balance.numero_cuenta);
  if (told !== undefined && told !== balance.currency) throw unreadable(place, 'MONEDA', 'is not that of the account');
  if (!isObservedNear(balance.observed_at, String(answer.request.today)))
    throw unreadable(place, 'FECHA', 'is not near the day of the answer');
};

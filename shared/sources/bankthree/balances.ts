/**
 * Balances (banks.md §3.3). Their file names no company, and reading under the wrong one gives another company's money
 * (§1.6): unless a statement of this session already named it, one is looked into before balances are believed.
 */
import { santiagoDay } from '#shared/values/dates.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { accountKey } from '#shared/values/statements.ts';
import { type Ask, type Parsed, type RawAnswer, reading, type SourceIo } from '../source.ts';
import { tellGoneAccounts } from '../truth/gone-accounts.ts';
import { isObservedNear } from '../truth/observed-day.ts';
import { readAccountsPage } from './accounts-page.ts';
import { type BalanceLine, readBalances } from './balances-table.ts';
import type { Fetched, PortalClient } from './client.ts';
import { COMPANY_CHECKS_MAX } from './limits.ts';
import { checkedPage } from './movements-pull.ts';
import { nothingThere } from './refusals.ts';
import type { OpenSession } from './session.ts';
import { checkAccount, checkCompany, readFirstLine } from './statement.ts';
import { unreadable } from './values.ts';
import { OPEN_MONTH } from './wire.ts';

const placeOf = (key: string): string => `balances, ${key}`;

export const pullBalances = async (
  company: string,
  client: PortalClient,
  open: OpenSession,
  ask: Ask,
  io: SourceIo,
): Promise<void> => {
  await ask('accounts', () => checkedPage(client));
  const answer = await ask('balances', async () => {
    const { request, ...rest } = await client.balances();
    const fetched: Fetched = { ...rest, request: { ...request, today: santiagoDay(io.now()) } };
    await reading(fetched, () => readBalances(fetched.body, placeOf('balances')));
    return fetched;
  });
  if (open.company() === company) return;
  const accounts = new Set(readBalances(answer.body, placeOf('balances')).map(({ balance }) => balance.numero_cuenta));
  for (const [at, account] of [...accounts].slice(0, COMPANY_CHECKS_MAX).entries()) {
    const key = `company/${at + 1}`;
    const kept = await ask(key, async () =>
      named(company, account, key, await client.statement({ account, fecha: OPEN_MONTH })),
    );
    if (isStatement(kept)) {
      open.seeCompany(company);
      return;
    }
  }
};

const isStatement = (answer: Fetched): boolean => nothingThere(answer.body) === undefined;

/** Of a statement only who it is for: whether it can be read is a matter of the movements. */
const named = async (company: string, account: string, key: string, answer: Fetched): Promise<Fetched> => {
  await reading(answer, () => {
    if (!isStatement(answer)) return;
    const header = readFirstLine(answer.body, placeOf(key));
    checkCompany(header, company, placeOf(key));
    checkAccount(header, account, placeOf(key));
  });
  return answer;
};

export function* parseBalances(answers: readonly RawAnswer[], known?: KnownAccounts): Generator<Parsed> {
  const statements = answers.filter(({ request }) => request.page === 'statement');
  const page = answers.find(({ request }) => request.page === 'accounts');
  const portal = page && readAccountsPage(page.body);
  const shown = new Set(portal?.accounts.map(accountKey));
  const listed: string[] = [];
  for (const answer of answers.filter(({ request }) => request.page === 'balances')) {
    for (const [at, { balance, raw }] of readBalances(answer.body, placeOf(answer.key)).entries()) {
      const { numero_cuenta: account, currency } = balance;
      const place = { what: placeOf(answer.key), line: at + 2 };
      const told = portal?.currencies.get(account);
      if (told !== undefined && told !== currency) throw unreadable(place, 'MONEDA', 'is not that of the account');
      if (!isObservedNear(balance.observed_at, String(answer.request.today)))
        throw unreadable(place, 'FECHA', 'is not near the day of the answer');
      listed.push(account);
      yield { row: { row: rowOf(balance), raw, answerKey: answer.key } };
      if (shown.has(accountKey(account))) yield { account: { account } };
    }
  }
  if (portal)
    yield* tellGoneAccounts('bankthree', portal.accounts, known, { name: 'the file of balances', accounts: listed });
  if (statements.length > 0 && !statements.some(isStatement)) {
    const message = 'No statement could be had that names the company of these balances.';
    yield { notice: { code: 'bankthree.balances.company_unverified', message } };
  }
}

const rowOf = (balance: BalanceLine['balance']): Record<string, unknown> => ({ ...balance });

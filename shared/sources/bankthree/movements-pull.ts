/**
 * Everything of one month: the page of accounts and months, then one statement an account. Every step is decided by
 * kept answers and the clock alone, so that a run that died goes on where it stopped.
 */
import { santiagoPeriod } from '#shared/domain/dates.ts';
import { type Ask, type Progress, type RawAnswer, reading, type SourceIo } from '../source.ts';
import { type AccountsPage, readAccountsPage } from './accounts-page.ts';
import type { Fetched, PortalClient, StatementRequest } from './client.ts';
import { nothingThere } from './refusals.ts';
import type { OpenSession } from './session.ts';
import { checkAccount, checkCompany, checkMonth, monthSeen, readStatement, type Statement } from './statement.ts';
import { OPEN_MONTH, wireMonth } from './wire.ts';

export interface Month {
  company: string;
  /** YYYY-MM */
  period: string;
}

/** Names an answer in messages: the account by its number on the page, not by its own. */
export const placeOf = (period: string | null, key: string): string => `movements ${period}, ${key}`;

export const pullMovements = async (
  month: Month,
  client: PortalClient,
  open: OpenSession,
  ask: Ask,
  io: SourceIo,
  progress: Progress,
): Promise<void> => {
  const { period } = month;
  const page = readAccountsPage((await ask('accounts', () => checkedPage(client))).body);
  const plan = planOf(page, period, santiagoPeriod(io.now()));
  if (plan === 'nothing') return;
  const say = (done: number) => progress(`movements ${period}: ${done} of ${page.accounts.length} accounts`);
  for (const [at, account] of page.accounts.entries()) {
    say(at);
    const askFor = (which: 'open' | 'closed'): Promise<RawAnswer> => {
      const key = `statement/${at + 1}/${which}`;
      const fecha = which === 'open' ? OPEN_MONTH : wireMonth(period);
      return ask(key, async () =>
        checked(month, { account, fecha }, key, await client.statement({ account, fecha }), open),
      );
    };
    if (plan === 'closed') await askFor('closed');
    // The month was closed since, or just before, the page was read.
    else if (isLater(await askFor('open'), period)) await askFor('closed');
  }
  say(page.accounts.length);
};

const checkedPage = async (client: PortalClient): Promise<Fetched> => {
  const answer = await client.accounts();
  await reading(answer, () => readAccountsPage(answer.body));
  return answer;
};

/**
 * The open month follows the newest closed one. Older than the oldest is not kept any more, the future is not there
 * yet: nothing is asked. What lies between is the bank's to say ("Período no disponible").
 */
export const planOf = (
  { closedMonths }: AccountsPage,
  period: string,
  currentPeriod: string,
): 'open' | 'closed' | 'nothing' => {
  if (period > currentPeriod) return 'nothing';
  const newest = closedMonths[0];
  if (newest === undefined || period > newest) return 'open';
  return isOutOfWindow(closedMonths, period) ? 'nothing' : 'closed';
};

export const isOutOfWindow = (closedMonths: readonly string[], period: string): boolean => {
  const oldest = closedMonths.at(-1);
  return oldest !== undefined && period < oldest;
};

/** Undefined: a page that says that there is nothing. */
export const statementIn = (answer: Fetched, what: string): Statement | undefined =>
  nothingThere(answer.body) === undefined ? readStatement(answer.body, what) : undefined;

const checked = async (
  { company, period }: Month,
  { account, fecha }: StatementRequest,
  key: string,
  answer: Fetched,
  open: OpenSession,
): Promise<Fetched> => {
  const what = placeOf(period, key);
  await reading(answer, () => {
    const statement = statementIn(answer, what);
    if (statement === undefined) return;
    checkCompany(statement, company, what);
    checkAccount(statement, account, what);
    if (fecha !== OPEN_MONTH) checkMonth(statement, period, what);
    open.seeCompany(statement.company);
  });
  return answer;
};

const isLater = (answer: RawAnswer, period: string): boolean => {
  const statement = statementIn(answer, placeOf(period, answer.key));
  return statement !== undefined && monthSeen(statement, period) === 'later';
};

/**
 * Everything of one month: the page of accounts and months, then one statement an account. Every step is decided by
 * kept answers and the clock alone, so that a run that died goes on where it stopped.
 */
import { santiagoDay, santiagoPeriod } from '#shared/values/dates.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { type Ask, type Progress, type RawAnswer, reading, type SourceIo } from '../source.ts';
import { monthsInDoubt } from '../truth/statement-chain.ts';
import { type AccountsPage, readAccountsPage } from './accounts-page.ts';
import type { Fetched, PortalClient } from './client.ts';
import { nothingThere } from './refusals.ts';
import type { OpenSession } from './session.ts';
import {
  beginsMonth,
  checkAccount,
  checkCompany,
  checkMonth,
  checkSpan,
  monthSeen,
  readStatement,
  type Statement,
} from './statement.ts';
import { OPEN_MONTH, wireMonth } from './wire.ts';

export interface Month {
  company: string;
  /** YYYY-MM */
  period: string;
  known?: KnownAccounts | undefined;
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
      return ask(key, async () => {
        const today = santiagoDay(io.now());
        return checked(month, key, today, await client.statement({ account, fecha }), open);
      });
    };
    let answer = await askFor(plan);
    // The month was closed since, or just before, the page was read.
    if (plan === 'open' && isLater(answer, period)) answer = await askFor('closed');
    for (const beside of doubtful(month, account, answer)) {
      const key = `beside/${at + 1}/${beside}`;
      const besidePlan = planOf(page, beside, santiagoPeriod(io.now()));
      if (besidePlan === 'nothing') continue;
      const fecha = besidePlan === 'open' ? OPEN_MONTH : wireMonth(beside);
      await ask(key, async () => {
        const { request, ...rest } = await client.statement({ account, fecha });
        return checkedBeside(month, key, { ...rest, request: { ...request, page: 'beside', month: beside } });
      });
    }
  }
  say(page.accounts.length);
};

export const checkedPage = async (client: PortalClient): Promise<Fetched> => {
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

/** `today`: Santiago day of the answer, kept with it, for a month that is not over has no closed statement. */
const checked = async (
  { company, period }: Month,
  key: string,
  today: string,
  fetched: Fetched,
  open: OpenSession,
): Promise<Fetched> => {
  const what = placeOf(period, key);
  const answer: Fetched = { ...fetched, request: { ...fetched.request, today } };
  await reading(answer, () => {
    const statement = askedStatement(answer, company, period, what);
    if (statement !== undefined) open.seeCompany(statement.company);
  });
  return answer;
};

/** The statement of an answer, once it is the one that was asked for; undefined: a page that says that there is nothing. */
export const askedStatement = (
  { body, request, contentType }: Fetched,
  company: string,
  period: string,
  what: string,
): Statement | undefined => {
  const statement = statementIn({ body, request, contentType }, what);
  if (statement === undefined) return undefined;
  checkCompany(statement, company, what);
  checkAccount(statement, String(request.account), what);
  if (request.fecha !== OPEN_MONTH) checkMonth(statement, period, what);
  const isOfMonth = monthSeen(statement, period) === 'shown';
  if (!statement.isOpen && isOfMonth) checkSpan(statement, period, String(request.today), what);
  return statement;
};

const checkedBeside = async ({ company, period }: Month, key: string, answer: Fetched): Promise<Fetched> => {
  await reading(answer, () => besideStatement(answer, company, placeOf(period, key)));
  return answer;
};

/** The statement of a month beside the one that is read. */
export const besideStatement = (answer: Fetched, company: string, what: string): Statement | undefined => {
  const statement = statementIn(answer, what);
  if (statement === undefined) return undefined;
  checkCompany(statement, company, what);
  checkAccount(statement, String(answer.request.account), what);
  const month = String(answer.request.month);
  const isShown = monthSeen(statement, month) === 'shown';
  // The bank shows the month that runs: of one that is over and not closed yet it tells nothing.
  if (!isShown && answer.request.fecha === OPEN_MONTH) return undefined;
  // An open statement may go on over a month's end, and tells no balance there.
  if (isShown && statement.isOpen) return beginsMonth(statement, month) ? statement : undefined;
  checkMonth(statement, month, what);
  return statement;
};

/** Months beside a closed statement that do not fit to it, as far as they are known. */
const doubtful = ({ period, known }: Month, account: string, answer: RawAnswer): string[] => {
  const statement = statementIn(answer, placeOf(period, answer.key));
  return statement === undefined || statement.isOpen ? [] : monthsInDoubt(statement, known, account, period);
};

const isLater = (answer: RawAnswer, period: string): boolean => {
  const statement = statementIn(answer, placeOf(period, answer.key));
  return statement !== undefined && monthSeen(statement, period) === 'later';
};

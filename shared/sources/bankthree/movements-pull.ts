/**
 * Everything of one month: the page of accounts and months, then one statement an account. Every step is decided by
 * kept answers and the clock alone, so that a run that died goes on where it stopped.
 */
import { santiagoDay, santiagoPeriod } from '#shared/values/dates.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { checkedAnswer } from '../parsing/results.ts';
import type { RawAnswer, UnparsedAnswer } from '../source.ts';
import { monthsInDoubt } from '../truth/statement-chain.ts';
import { type AccountsPage, readAccountsPage } from './accounts-page.ts';
import type { PortalClient, PortalPull } from './client.ts';
import { nothingThere } from './refusals.ts';
import {
  type BankthreeStatement,
  beginsMonth,
  checkAccount,
  checkCompany,
  checkMonth,
  checkSpan,
  monthSeen,
  readStatement,
} from './statement.ts';
import { OPEN_MONTH, wireMonth } from './wire.ts';

export interface StatementMonth {
  company: string;
  /** YYYY-MM */
  period: string;
  known?: KnownAccounts | undefined;
}

/** Names an answer in messages: the account by its number on the page, not by its own. */
export const nameAnswer = (period: string | null, key: string): string => `movements ${period}, ${key}`;

export const pullMovements = async (month: StatementMonth, portal: PortalPull): Promise<void> => {
  const { period } = month;
  const { client, ask, io } = portal;
  const page = readAccountsPage((await ask('accounts', () => checkedPage(client))).body);
  const plan = planStatements(page, period, santiagoPeriod(io.now()));
  if (plan === 'nothing') return;
  const say = (done: number) => portal.progress(`movements ${period}: ${done} of ${page.accounts.length} accounts`);
  for (const [at, account] of page.accounts.entries()) {
    say(at);
    const own = { account, at: at + 1 };
    let answer = await askStatement(month, own, plan, portal);
    // The month was closed since, or just before, the page was read.
    if (plan === 'open' && isLater(answer, period)) answer = await askStatement(month, own, 'closed', portal);
    for (const beside of doubtful(month, account, answer)) {
      const besidePlan = planStatements(page, beside, santiagoPeriod(io.now()));
      if (besidePlan === 'nothing') continue;
      const key = `beside/${own.at}/${beside}`;
      await ask(key, async () => {
        const { request, ...rest } = await client.statement({ account, fecha: fechaOf(besidePlan, beside) });
        return checkedAnswer({ ...request, page: 'beside', month: beside }, rest, (told) =>
          besideStatement(told, month.company, nameAnswer(period, key)),
        );
      });
    }
  }
  say(page.accounts.length);
};

/** `fecha` of a month in one state or the other. */
const fechaOf = (which: 'open' | 'closed', period: string): string =>
  which === 'open' ? OPEN_MONTH : wireMonth(period);

/** The day is kept with the answer, for a month that is not over has no closed statement. `at`: place on the page. */
const askStatement = (
  month: StatementMonth,
  { account, at }: { account: string; at: number },
  which: 'open' | 'closed',
  { client, open, ask, io }: PortalPull,
): Promise<RawAnswer> => {
  const { period } = month;
  const key = `statement/${at}/${which}`;
  return ask(key, async () => {
    const today = santiagoDay(io.now());
    const { request, ...rest } = await client.statement({ account, fecha: fechaOf(which, period) });
    return checkedAnswer({ ...request, today }, rest, (answer) => {
      const statement = askedStatement(answer, month, nameAnswer(period, key));
      if (statement !== undefined) open.seeCompany(statement.company);
    });
  });
};

export const checkedPage = async (client: PortalClient): Promise<UnparsedAnswer> => {
  const answer = await client.accounts();
  return checkedAnswer(answer.request, answer, ({ body }) => readAccountsPage(body));
};

/**
 * The open month follows the newest closed one. Older than the oldest is not kept any more, the future is not there
 * yet: nothing is asked. What lies between is the bank's to say ("Período no disponible").
 */
export const planStatements = (
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
export const statementIn = (answer: UnparsedAnswer, what: string): BankthreeStatement | undefined =>
  nothingThere(answer.body) === undefined ? readStatement(answer.body, what) : undefined;

/** The statement of an answer, once it is the one that was asked for; undefined: a page that says that there is nothing. */
export const askedStatement = (
  answer: UnparsedAnswer,
  { company, period }: StatementMonth,
  what: string,
): BankthreeStatement | undefined => {
  const { request } = answer;
  const statement = statementIn(answer, what);
  if (statement === undefined) return undefined;
  checkCompany(statement, company, what);
  checkAccount(statement, String(request.account), what);
  if (request.fecha !== OPEN_MONTH) checkMonth(statement, period, what);
  const isOfMonth = monthSeen(statement, period) === 'shown';
  if (!statement.isOpen && isOfMonth) checkSpan(statement, period, String(request.today), what);
  return statement;
};

/** The statement of a month beside the one that is read. */
export const besideStatement = (
  answer: UnparsedAnswer,
  company: string,
  what: string,
): BankthreeStatement | undefined => {
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
const doubtful = ({ period, known }: StatementMonth, account: string, answer: RawAnswer): string[] => {
  const statement = statementIn(answer, nameAnswer(period, answer.key));
  return statement === undefined || statement.isOpen ? [] : monthsInDoubt(statement, known, account, period);
};

const isLater = (answer: RawAnswer, period: string): boolean => {
  const statement = statementIn(answer, nameAnswer(period, answer.key));
  return statement !== undefined && monthSeen(statement, period) === 'later';
};

/**
 * Fetches one month: the page of accounts and months, then one statement per account. Only stored answers and the clock
 * decide each step, so that another worker can resume a run whose worker died.
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

/**
 * Returns the name of an answer for messages. The key contains the account's position on the page, so the name contains
 * no account number.
 */
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
    // The open statement is later than the month, because the bank closed the month shortly before or after the page
    // was read.
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

/** Returns the value of `fecha` for the open month or a closed month. */
const fechaOf = (which: 'open' | 'closed', period: string): string =>
  which === 'open' ? OPEN_MONTH : wireMonth(period);

/**
 * Requests a statement. The day of the request is stored with the answer, because a month that is not over on this day
 * has no closed statement. `at` is the account's position on the page.
 */
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
 * Returns which statement to request. The open month follows the newest closed month. Nothing is requested for a month
 * before the oldest closed month or in the future. If the page omits a month between closed months, the bank decides
 * ("Período no disponible").
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

/** Returns the statement of an answer; undefined for a page that says that there is no data. */
export const statementIn = (answer: UnparsedAnswer, what: string): BankthreeStatement | undefined =>
  nothingThere(answer.body) === undefined ? readStatement(answer.body, what) : undefined;

/**
 * Returns the statement of an answer; undefined for a page that says that there is no data. Throws when the answer
 * contains another statement than the requested statement.
 */
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

/** Returns the statement of a neighbouring month. */
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
  // The adapter asked for `ACTUAL` (the open month) and the bank answered with another month, so the wanted month has
  // no data yet.
  if (!isShown && answer.request.fecha === OPEN_MONTH) return undefined;
  // An open statement that continues after the end of the month contains no balance at the end of the month.
  if (isShown && statement.isOpen) return beginsMonth(statement, month) ? statement : undefined;
  checkMonth(statement, month, what);
  return statement;
};

/** Returns the months next to a closed statement whose known balances contradict the statement. */
const doubtful = ({ period, known }: StatementMonth, account: string, answer: RawAnswer): string[] => {
  const statement = statementIn(answer, nameAnswer(period, answer.key));
  return statement === undefined || statement.isOpen ? [] : monthsInDoubt(statement, known, account, period);
};

const isLater = (answer: RawAnswer, period: string): boolean => {
  const statement = statementIn(answer, nameAnswer(period, answer.key));
  return statement !== undefined && monthSeen(statement, period) === 'later';
};

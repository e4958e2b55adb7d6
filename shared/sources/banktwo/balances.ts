/** Balances and withheld amounts, one answer per account (banks.md §3.2). */
import { Big } from 'big.js';
import { DAY_MS } from '#shared/values/dates.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { isObject } from '../parsing/bodies.ts';
import { notice, unexpected } from '../parsing/results.ts';
import { type AnswerPlace, present, unreadable } from '../parsing/values.ts';
import type { Json, JsonObject, Parsed, RawAnswer } from '../source.ts';
import { tellAccounts } from '../truth/gone-accounts.ts';
import { isBlank } from '../truth/watch-keys.ts';
import { accountsIn, askAccounts, checkAccount, type ListedAccount } from './accounts.ts';
import { readObject } from './body.ts';
import type { ApiClient } from './client.ts';
import { OBSERVED_DAYS_AWAY_MAX } from './limits.ts';
import { parseCentavos, readCentavos, readInstant } from './values.ts';
import { balancesUrl } from './wire.ts';

export const pullBalances = async (client: ApiClient): Promise<void> => {
  const { accounts } = accountsIn([await askAccounts(client, {})]);
  for (const [i, account] of accounts.entries()) {
    client.progress(`balances: account ${i + 1} of ${accounts.length}`);
    const { accountId, name } = account;
    const key = `balances/${name}`;
    const kept = { call: 'balances', accountId, askedAt: new Date(client.now()).toISOString() };
    const call = { what: key, url: balancesUrl(accountId), kept };
    await client.ask(call, (body) => readBalances(body, account, key, kept.askedAt));
  }
};

export function* parseBalances(answers: readonly RawAnswer[], known?: KnownAccounts): Generator<Parsed> {
  const { accounts } = accountsIn(answers);
  yield* tellAccounts('banktwo', accounts, known);
  let withoutWord = 0;
  for (const account of accounts) {
    const answer = answers.find(
      ({ request }) => request.call === 'balances' && request.accountId === account.accountId,
    );
    if (!answer) throw unexpected(`balances, ${account.name}`, 'no answer is stored');
    const raw = readObject(answer.body, answer.key);
    const { row, isHoldUnknown } = readBalances(raw, account, answer.key, answer.request.askedAt);
    if (isHoldUnknown) withoutWord++;
    yield { row: { row, raw, answerKey: answer.key } };
  }
  if (withoutWord > 0) yield holdNotice(withoutWord);
}

const holdNotice = (accounts: number): Parsed =>
  notice(
    'banktwo.balances.hold_unknown',
    `The bank gives no word on what it withholds of ${accounts} account(s); it is counted as nothing.`,
    { count: accounts },
  );

/** Reads the balances of one account. `askedAt` is the time of the request; older stored answers do not contain it. */
export const readBalances = (
  body: JsonObject,
  account: ListedAccount,
  answerKey: string,
  askedAt: Json | undefined,
) => {
  const place: AnswerPlace = { answerKey, row: 0 };
  checkAccount(body, account, place);
  const { number, currency } = account;
  const required = (field: string) => readCentavos(body, field, currency, place);
  const { retencion, isHoldUnknown } = holdsOf(body, currency, place);
  const row = {
    numero_cuenta: number,
    currency,
    observed_at: observedAt(body, askedAt, place),
    saldo_contable: required('accountingBalance'),
    saldo_disponible: required('availableBalance'),
    // The 09:00 balance is null before 09:00 and on days that are not banking days (§3.2).
    saldo_contable_9am: isBlank(present(body, 'accountingBalance9am', place)) ? null : required('accountingBalance9am'),
    retencion,
  };
  return { row, isHoldUnknown };
};

const observedAt = (body: JsonObject, askedAt: Json | undefined, place: AnswerPlace): string => {
  const observed = readInstant(present(body, 'asOf', place), 'asOf', place);
  const awayMs = typeof askedAt === 'string' ? Math.abs(Date.parse(observed) - Date.parse(askedAt)) : 0;
  if (awayMs > OBSERVED_DAYS_AWAY_MAX * DAY_MS) throw unreadable(place, 'asOf', 'is days away from now');
  return observed;
};

const HOLDS = ['oneDay', 'twoToFourDays', 'moreThanFour'] as const;
/** The bank sends this text instead of a number when it has no information (banks.md §1.3). */
const NO_WORD = /^\s*sin informaci[oó]n\s*$/i;

const holdsOf = (body: JsonObject, currency: string, place: AnswerPlace) => {
  const holds = present(body, 'withholdings', place);
  if (holds === null) return { retencion: null, isHoldUnknown: true };
  if (!isObject(holds)) throw unreadable(place, 'withholdings', 'is not an object');
  let sum = new Big(0);
  let isHoldUnknown = false;
  for (const field of HOLDS) {
    const value = present(holds, field, place);
    if (isBlank(value) || (typeof value === 'string' && NO_WORD.test(value.normalize('NFC')))) isHoldUnknown = true;
    else sum = sum.plus(parseCentavos(value, currency, `withholdings.${field}`, place));
  }
  return { retencion: sum.toFixed(currency === 'CLP' ? 0 : 2), isHoldUnknown };
};

/** Balances: one request per account (banks.md §3.1). */
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { unexpected } from '../parsing/results.ts';
import { type AnswerPlace, unreadable } from '../parsing/values.ts';
import type { Parsed, RawAnswer } from '../source.ts';
import { tellAccounts } from '../truth/gone-accounts.ts';
import { isObservedNear } from '../truth/observed-day.ts';
import { type Accounts, keptAccounts } from './accounts.ts';
import type { BankClient } from './client.ts';
import { checkEcho, parseBody } from './kept.ts';
import { readBalance, requireBalance } from './money.ts';
import { readCurrency, readStamp } from './values.ts';
import { BALANCES_URL } from './wire.ts';

const keyOf = (place: number): string => `balance/${place}`;

export const pullBalances = async ({ accounts }: Accounts, client: BankClient): Promise<void> => {
  for (const { number, place } of accounts) {
    const key = keyOf(place);
    await client.ask({
      what: key,
      url: BALANCES_URL,
      body: { numeroCuenta: number },
      request: { list: 'balance', account: number },
      names: 'company',
      check: (body) => checkEcho(body, 'numeroCuenta', number, key),
    });
    client.progress(`balances: ${place} of ${accounts.length} accounts`);
  }
};

export function* parseBalances(answers: readonly RawAnswer[], known?: KnownAccounts): Generator<Parsed> {
  const { accounts, today } = keptAccounts(answers);
  for (const account of accounts) {
    const answerKey = keyOf(account.place);
    const answer = answers.find(({ key }) => key === answerKey);
    const body = answer && parseBody(answer);
    if (!body) throw unexpected(answerKey, 'there is no balance');
    checkEcho(body, 'numeroCuenta', account.number, answerKey);
    const place: AnswerPlace = { answerKey, row: 0 };
    const currency = readCurrency(body, 'moneda', place);
    if (currency !== account.currency) throw unreadable(place, 'moneda', 'is not that of the account');
    const observed = readStamp(body, 'fechaConsulta', place).instant;
    if (!isObservedNear(observed, today)) throw unreadable(place, 'fechaConsulta', 'is not near the day of the answer');
    const row = {
      numero_cuenta: account.number,
      currency,
      observed_at: observed,
      saldo_contable: requireBalance(body, 'saldoContable', currency, place),
      saldo_disponible: requireBalance(body, 'saldoDisponible', currency, place),
      // The field `saldoProvisorio` may be empty (§3.1).
      saldo_provisorio: readBalance(body, 'saldoProvisorio', currency, place),
    };
    yield { row: { row, raw: body, answerKey } };
  }
  yield* tellAccounts('bankone', accounts, known);
}

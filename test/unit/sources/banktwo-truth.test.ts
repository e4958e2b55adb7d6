/**
 * Wrong answers of a bank about movements, accounts and balances are refused or reported, and never accepted as
 * complete.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BanktwoMovement } from '#shared/scopes/banktwo-movements.ts';
import { source } from '#shared/sources/banktwo/source.ts';
import type { JsonObject } from '#shared/sources/source.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { accountKey } from '#shared/values/statements.ts';
import { clientOf, clock, failureOf, LAST_MONTH, sandbox, tallyMovements, url } from './banktwo-stage.ts';
import { type JsonLiar, type LiedTo, pullThrough, startJsonLiar } from './json-liar.ts';

const { credentials } = clientOf('works');
const TRANSACTIONS = 'current-accounts/transactions';
let liar: JsonLiar;

beforeAll(async () => {
  liar = await startJsonLiar(url);
});
afterEach(() => {
  liar.lies = {};
});
afterAll(() => liar.close());

const read = (scope = 'movements', known?: KnownAccounts): Promise<LiedTo> =>
  pullThrough(liar, source, credentials, scope, scope === 'movements' ? LAST_MONTH : null, clock, known);

const inMovements = (change: (movement: JsonObject, at: number) => JsonObject): void => {
  liar.lies[TRANSACTIONS] = (answer) => {
    answer.movements = (answer.movements as JsonObject[]).map(change);
  };
};

const refusal = async (scope?: string): Promise<string> => {
  const failure = await failureOf(() => read(scope));
  expect(failure).toMatchObject({ name: 'SourceError', code: 'source.unexpected_response' });
  return (failure as Error).message;
};

test('through the door comes what the bank holds', async () => {
  const { rows, notices } = await read();
  expect(tallyMovements(rows as BanktwoMovement[])).toEqual(
    sandbox.ledger(credentials.client_id, LAST_MONTH).movements[LAST_MONTH],
  );
  expect(notices).toEqual({});
});

describe('numbers', () => {
  /** Gives `count + 1` movements of one day the number of the last of them. */
  const sharing = (count: number) => {
    liar.lies[TRANSACTIONS] = (answer, { accountId, startMovement }) => {
      const movements = answer.movements as JsonObject[];
      if (startMovement !== '000000000' || !String(accountId).endsWith(lastOf)) return;
      const sameDay = Map.groupBy(movements, ({ accountingDate }) => String(accountingDate));
      const own = [...sameDay.values()].find(({ length }) => length > count)!.slice(0, count + 1);
      for (const movement of own) movement.movementNumber = own.at(-1)!.movementNumber!;
    };
  };
  let lastOf = '';
  beforeAll(async () => {
    liar.lies['v1/current-accounts'] = ({ accounts }) => {
      lastOf = String((accounts as JsonObject[])[0]!.accountId).slice(-4);
    };
    await read('balances');
  });

  test('one number for two: both are stored, and reported', async () => {
    sharing(1);
    const { rows, notices } = await read();
    expect(tallyMovements(rows as BanktwoMovement[])).toEqual(
      sandbox.ledger(credentials.client_id, LAST_MONTH).movements[LAST_MONTH],
    );
    expect(notices).toEqual({
      'banktwo.movements.numbers_shared': `${LAST_MONTH}: 1 movement(s) came under the number of another one; each is stored by itself.`,
    });
  });

  test('one number for all: refused', async () => {
    inMovements((movement) => ({ ...movement, movementNumber: '000000001' }));
    expect(await refusal()).toMatch(/\d+ movements have the number of another one, at most 3 may$/);
  });
});

describe('keys', () => {
  test.each([
    ['mnemonic', ['mnemonico']],
    ['category', ['category']],
    ['observation', ['descripcion']],
    ['counterparty', ['counterparty_rut', 'counterparty_name', 'counterparty_bank', 'counterparty_account']],
  ])('%s gone: left open, and reported', async (key, fields) => {
    inMovements(({ [key]: _, ...movement }) => movement);
    const { rows, notices } = await read();
    for (const field of fields) expect(new Set(rows.map((row) => row[field]))).toEqual(new Set([undefined]));
    expect(notices['banktwo.movements.columns_missing']).toContain(`Keys absent: ${key}.`);
  });

  test.each(['rut', 'name', 'bankCode', 'accountNumber'])(
    '%s of the counterparty gone or null: reported',
    async (key) => {
      const inCounterparty = (change: (counterparty: JsonObject) => JsonObject) =>
        inMovements(({ counterparty = null, ...movement }) => ({
          ...movement,
          counterparty: counterparty === null ? null : change(counterparty as JsonObject),
        }));
      inCounterparty(({ [key]: _, ...rest }) => rest);
      expect((await read()).notices['banktwo.movements.columns_missing']).toContain(`Keys absent: ${key}.`);
      inCounterparty((counterparty) => ({ ...counterparty, [key]: null }));
      expect((await read()).notices['banktwo.movements.columns_missing']).toContain(`never are: ${key}.`);
    },
  );

  test('a longer text instead of the short one, no category, no counterparty: nothing to report', async () => {
    inMovements(({ observation, ...movement }) => ({
      ...movement,
      expandedCode: observation!,
      category: null,
      counterparty: null,
    }));
    const { rows, notices } = await read();
    expect(notices).toEqual({});
    expect(rows.every(({ descripcion, counterparty_rut }) => descripcion !== null && counterparty_rut === null)).toBe(
      true,
    );
  });
});

describe('days', () => {
  test('a movement that was made months before it was booked: stored, and reported; two of few are refused', async () => {
    const booked = (count: number) => {
      let left = count;
      liar.lies[TRANSACTIONS] = (answer) => {
        for (const movement of answer.movements as JsonObject[])
          if (left-- > 0) movement.transactionDate = '2025-11-02';
      };
    };
    booked(1);
    const { rows, notices } = await read();
    expect(rows.filter(({ fecha_movimiento }) => fecha_movimiento === '2025-11-02')).toHaveLength(1);
    expect(notices).toEqual({
      'banktwo.movements.booked_late': `${LAST_MONTH}: 1 movement(s) were booked more than 92 days after they were made.`,
    });
    booked(2);
    expect(await refusal()).toMatch(
      /^movements, [^:]*: in 2 of \d+ movements transactionDate is far from accountingDate$/,
    );
  });

  test.each([null, '1970-01-01', '2027-10-01'])('a transaction of %j: refused', async (transactionDate) => {
    inMovements((movement, at) => (at === 1 ? { ...movement, transactionDate } : movement));
    expect(await refusal()).toMatch(/row 2: transactionDate is/);
  });

  test.each(['1970-01-01T10:00:00-03:00', '2036-11-20T12:00:00-03:00'])('a balance of %s: refused', async (asOf) => {
    liar.lies['/balances'] = (answer) => ({ ...answer, asOf });
    expect(await refusal('balances')).toBe('balances/account-1: asOf is days away from now');
  });

  test('a balance of the last banking day is one', async () => {
    liar.lies['/balances'] = (answer) => ({ ...answer, asOf: '2026-11-16T18:00:00-03:00' });
    expect((await read('balances')).rows).toHaveLength(3);
  });
});

describe.each(['movements', 'balances'])('accounts of %s', (scope) => {
  test.each<[string, (accounts: JsonObject[]) => JsonObject[], string]>([
    ['one gone', (accounts) => accounts.slice(1), '1 account of 3'],
    ['none left', () => [], '3 accounts of 3'],
    ['another number', ([first, ...rest]) => [{ ...first!, number: '0-000-0999999-9' }, ...rest], '1 account of 3'],
  ])('%s: reported', async (_what, change, told) => {
    const { accounts } = await read(scope);
    const known = { accounts: accounts.map(accountKey), statements: {} };
    expect((await read(scope, known)).notices).toEqual({});
    liar.lies['v1/current-accounts'] = (answer) => {
      answer.accounts = change(answer.accounts as JsonObject[]);
    };
    expect((await read(scope, known)).notices).toEqual({
      'banktwo.accounts_gone': `${told} that the bank listed before are not listed now. What is stored of them was kept.`,
    });
    const missing = known.accounts.filter((account) => told === '3 accounts of 3' || account === known.accounts[0]);
    const since = { ...known, missing: missing.map((account) => `${account} both`) };
    expect((await read(scope, since)).notices).toEqual({});
  });
});

test('an account twice in the list: refused', async () => {
  liar.lies['v1/current-accounts'] = (answer) => {
    const [first, , ...rest] = answer.accounts as JsonObject[];
    answer.accounts = [first!, first!, ...rest];
  };
  expect(await refusal('balances')).toBe('accounts, row 2: accountId comes twice');
});

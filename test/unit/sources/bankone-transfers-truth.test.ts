/** Wrong answers of a bank about its transfers are refused or reported, and never accepted as complete. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { source } from '#shared/sources/bankone/source.ts';
import { READINGS_MAX } from '#shared/sources/bankone/wire.ts';
import type { JsonObject } from '#shared/sources/source.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { accountKey } from '#shared/values/statements.ts';
import { clock, entryOf, failureOf, held, LAST_MONTH, tallyOf, url } from './bankone-stage.ts';
import { type JsonLiar, type LiedTo, pullThrough, startJsonLiar } from './json-liar.ts';

const entry = entryOf('works');
const TRANSFERS = 'transferencias/consultar';
let liar: JsonLiar;

beforeAll(async () => {
  liar = await startJsonLiar(url);
});
afterEach(() => {
  liar.lies = {};
});
afterAll(() => liar.close());

const read = (known?: KnownAccounts): Promise<LiedTo> =>
  pullThrough(liar, source, entry.credentials, 'transfers', LAST_MONTH, clock, known);

/** Changes the answers that have rows. */
const inRows =
  (change: (rows: JsonObject[]) => JsonObject[]) =>
  (answer: JsonObject): void => {
    const rows = answer.transferencias as JsonObject[];
    if (rows.length > 0) answer.transferencias = change(rows);
  };
const inEach = (change: JsonObject) => inRows((rows) => rows.map((row) => ({ ...row, ...change })));
const without = (key: string) => inRows((rows) => rows.map(({ [key]: _, ...row }) => row));

const refusal = async (): Promise<string> => {
  const failure = await failureOf(() => read());
  expect(failure).toMatchObject({ name: 'SourceError', code: 'source.unexpected_response' });
  expect((failure as Error).message).not.toMatch(/\d{7}/);
  return (failure as Error).message;
};

test('through the door comes what the bank holds', async () => {
  const { rows, notices } = await read();
  expect(tallyOf('transfers', rows)).toEqual(held(entry, 'transfers', LAST_MONTH));
  expect(notices).toEqual({});
});

describe('numbers', () => {
  test('a copy instead of another transfer: refused', async () => {
    liar.lies[TRANSFERS] = inRows((rows) => [...rows.slice(0, -1), rows[0]!]);
    expect(await refusal()).toMatch(/the list changed or was not whole/);
  });

  test('one number for all: refused', async () => {
    liar.lies[TRANSFERS] = inEach({ numeroTransaccion: '77' });
    expect(await refusal()).toMatch(/the list changed or was not whole/);
  });

  test.each([null, '', ' '])('%j instead of numbers: refused', async (numeroTransaccion) => {
    liar.lies[TRANSFERS] = inEach({ numeroTransaccion });
    expect(await refusal()).toMatch(/row \d+: numeroTransaccion is empty/);
  });

  test('one number in the lists of two accounts with other amounts: refused', async () => {
    liar.lies[TRANSFERS] = (answer, { numeroCuenta, direccion }) =>
      inRows(([first, ...rest]) =>
        direccion === 'ENVIADAS'
          ? [first!, ...rest]
          : [{ ...first!, numeroTransaccion: '77', monto: String(numeroCuenta).slice(-4), estado: 'ABONADA' }, ...rest],
      )(answer);
    expect(await refusal()).toMatch(/numeroTransaccion is also the number of another transfer/);
  });
});

test('one number in both lists of an account: refused', async () => {
  liar.lies[TRANSFERS] = inRows(([first, ...rest]) => [
    { ...first!, numeroTransaccion: '77', estado: 'ABONADA' },
    ...rest,
  ]);
  expect(await refusal()).toMatch(/numeroTransaccion is in both lists of one account/);
});

test('a currency that is not that of the account: refused', async () => {
  liar.lies[TRANSFERS] = inEach({ moneda: 'EUR', monto: '5.00', estado: 'ABONADA' });
  expect(await refusal()).toMatch(/moneda is not that of the account/);
});

describe('states', () => {
  test('an unknown state is reported, with how many transfers are left out', async () => {
    const { rows: good } = await read();
    liar.lies[TRANSFERS] = (answer) =>
      inRows((rows) => rows.map((row) => ({ ...row, estado: row.estado === 'ABONADA' ? 'LIQUIDADA' : row.estado! })))(
        answer,
      );
    const { rows, notices } = await read();
    expect(rows).toEqual([]);
    expect(notices).toEqual({
      'bankone.transfers.states_unknown': `${LAST_MONTH}: ${good.length} transfer(s) have a state that we do not know, and were not stored.`,
    });
  });

  const waiting = (estado: string, at: number): JsonObject => ({
    ...{ numeroTransaccion: null, fecha: `20261010 10:0${at}:00`, monto: '5', moneda: 'CLP', asunto: '', estado },
  });
  const repeated = `${LAST_MONTH}: transfers that have not arrived and have no number came more than once: they are left out, and others may be missing.`;

  test.each(['PENDIENTE', 'RECHAZADA', 'Rechazada '])(
    '%s without a number yet: left out, and counted with the others; equal ones are reported',
    async (estado) => {
      const { rows: good } = await read();
      const more = (second: number) => (answer: JsonObject) => {
        const rows = answer.transferencias as JsonObject[];
        const [page] = answer.pagina as JsonObject[];
        if (rows.length === 0 || page === undefined) return;
        page.totalRegistros = Number(page.totalRegistros) + 2;
        if (page.masPaginas === false) answer.transferencias = [...rows, waiting(estado, 1), waiting(estado, second)];
      };
      liar.lies[TRANSFERS] = more(2);
      expect(await read()).toMatchObject({ rows: good, notices: {} });
      liar.lies[TRANSFERS] = more(1);
      const { rows, notices } = await read();
      expect([rows, notices]).toEqual([good, { 'bankone.transfers.transfers_repeated': repeated }]);
    },
  );

  test.each([
    ['in every reading: two transfers, told', READINGS_MAX, READINGS_MAX],
    ['in the first reading alone: pages that overlapped, read again', 1, 2],
  ])('equal ones at the end of a page and the begin of the next, %s', async (_what, lies, readings) => {
    const { rows: good, accounts } = await read();
    let begun = 0;
    let all: JsonObject[] = [];
    liar.lies[TRANSFERS] = (answer, { direccion, numeroCuenta, paginacionDesde }) => {
      if (direccion !== 'RECIBIDAS' || numeroCuenta !== accounts[0]) return;
      const isFirst = paginacionDesde === 1;
      if (isFirst) {
        begun++;
        all = answer.transferencias as JsonObject[];
      }
      answer.transferencias = isFirst
        ? [...all.slice(0, -2), waiting('RECHAZADA', 1)]
        : [waiting('RECHAZADA', begun <= lies ? 1 : 2), ...all.slice(-2)];
      answer.pagina = [{ totalRegistros: all.length + 2, masPaginas: isFirst }];
    };
    const { rows, notices } = await read();
    expect([rows, begun]).toEqual([good, readings]);
    expect(notices).toEqual(lies === READINGS_MAX ? { 'bankone.transfers.transfers_repeated': repeated } : {});
  });

  test('transfers that did not arrive are no rows, and nothing to report', async () => {
    liar.lies[TRANSFERS] = inEach({ estado: 'RECHAZADA' });
    expect(await read()).toMatchObject({ rows: [], notices: {} });
  });
});

test('an account that is gone from the list: reported', async () => {
  const { accounts } = await read();
  liar.lies['empresa/cuentas'] = (answer) => {
    answer.cuentas = (answer.cuentas as JsonObject[]).slice(1);
  };
  const { notices } = await read({ accounts: accounts.map(accountKey), statements: {} });
  expect(Object.keys(notices)).toEqual(['bankone.accounts_gone']);
});

describe('keys', () => {
  test.each(['fecha', 'monto', 'moneda', 'estado'])('%s gone: refused', async (key) => {
    liar.lies[TRANSFERS] = without(key);
    expect(await refusal()).toMatch(new RegExp(`row \\d: ${key} is missing$`));
  });

  test.each([
    ['asunto', 'subject'],
    ['rutContraparte', 'counterparty_rut'],
    ['nombreContraparte', 'counterparty_name'],
    ['banco', 'counterparty_bank'],
  ])('%s gone: left open, and reported', async (key, field) => {
    liar.lies[TRANSFERS] = without(key);
    const { rows, notices } = await read();
    expect(new Set(rows.map((row) => row[field]))).toEqual(new Set([undefined]));
    expect(notices['bankone.transfers.columns_missing']).toContain(`Keys absent: ${key}.`);
  });

  test.each(['rutContraparte', 'nombreContraparte', 'banco'])('%s null, which it never is: reported', async (key) => {
    liar.lies[TRANSFERS] = inEach({ [key]: null });
    expect((await read()).notices['bankone.transfers.columns_missing']).toContain(`never are: ${key}.`);
  });

  test('a transfer without subject is nothing to report', async () => {
    liar.lies[TRANSFERS] = inEach({ asunto: null });
    const { rows, notices } = await read();
    expect(notices).toEqual({});
    expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set([null]));
  });
});

/**
 * Wrong answers of a bank about its batches and their payments are refused or reported, and never accepted as complete.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { source } from '#shared/sources/bankone/source.ts';
import type { JsonObject } from '#shared/sources/source.ts';
import { clock, entryOf, failureOf, held, LAST_MONTH, tallyOf, url } from './bankone-stage.ts';
import { type JsonLiar, type LiedTo, pullThrough, startJsonLiar } from './json-liar.ts';

const entry = entryOf('works');
let liar: JsonLiar;

beforeAll(async () => {
  liar = await startJsonLiar(url);
});
afterEach(() => {
  liar.lies = {};
});
afterAll(() => liar.close());

const read = (): Promise<LiedTo> => pullThrough(liar, source, entry.credentials, 'nominas', LAST_MONTH, clock);

const inRows = (list: 'nominas' | 'pagos', change: (rows: JsonObject[]) => JsonObject[]): void => {
  liar.lies[list === 'nominas' ? 'nominas/consultar' : 'nominas/detalle'] = (answer) => {
    answer[list] = change(answer[list] as JsonObject[]);
  };
};
const withoutKey = (list: 'nominas' | 'pagos', key: string): void =>
  inRows(list, (rows) => rows.map(({ [key]: _, ...row }) => row));

const refusal = async (): Promise<string> => {
  const failure = await failureOf(read);
  expect(failure).toMatchObject({ name: 'SourceError', code: 'source.unexpected_response' });
  return (failure as Error).message;
};

test('through the door comes what the bank holds', async () => {
  const { rows, notices } = await read();
  expect(tallyOf('nominas', rows)).toEqual(held(entry, 'nominas', LAST_MONTH));
  expect(notices).toEqual({});
});

describe('only a complete reading counts', () => {
  test.each<[string, (rows: JsonObject[]) => JsonObject[]]>([
    ['a payment twice', ([first, ...rest]) => [first!, first!, ...rest]],
    ['a copy in the place of another', (rows) => [...rows.slice(0, -1), rows[0]!]],
    ['no lines', (rows) => rows.map((row) => ({ ...row, linea: null }))],
    ['an amount with three more zeros', ([first, ...rest]) => [{ ...first!, monto: `${first!.monto}000` }, ...rest]],
  ])('%s: refused', async (_what, change) => {
    inRows('pagos', change);
    await refusal();
  });

  test('a batch without its payments: refused', async () => {
    liar.lies['nominas/detalle'] = ({ numeroNomina }) => ({
      ...(numeroNomina === undefined ? {} : { numeroNomina }),
      pagos: [],
      pagina: [{ totalRegistros: 0, masPaginas: false }],
    });
    expect(await refusal()).toMatch(/cantidadRegistros is not the number of payments$/);
  });

  test.each([null, ''])('a batch whose day is %j: refused', async (fechaPago) => {
    inRows('nominas', (rows) => rows.map((row) => ({ ...row, fechaPago })));
    expect(await refusal()).toMatch(/row 1: fechaPago is not in the asked month$/);
  });
});

test('a batch of an account that is not listed: reported', async () => {
  inRows('nominas', (rows) => rows.map((row, at) => (at === 0 ? { ...row, cuentaCargo: '009990000000' } : row)));
  expect((await read()).notices).toEqual({
    'bankone.nominas.accounts_unknown': `${LAST_MONTH}: 1 batch(es) name an account that the bank does not list.`,
  });
});

describe('keys', () => {
  test.each([
    ['nominas', 'cantidadRegistros'],
    ['nominas', 'montoTotal'],
    ['pagos', 'linea'],
    ['pagos', 'monto'],
  ] as const)('%s, %s gone: refused', async (list, key) => {
    withoutKey(list, key);
    expect(await refusal()).toMatch(new RegExp(`${key} is missing$`));
  });

  test.each([
    ['nominas', 'tipo', 'tipo'],
    ['nominas', 'cuentaCargo', 'cuenta_cargo'],
    ['nominas', 'estado', 'estado'],
    ['pagos', 'rut', 'rut'],
    ['pagos', 'motivoRechazo', 'motivo_rechazo'],
  ] as const)('%s, %s gone: left open, and reported', async (list, key, field) => {
    withoutKey(list, key);
    const { rows, notices } = await read();
    const own = list === 'nominas' ? rows : rows.flatMap(({ pagos }) => pagos as JsonObject[]);
    expect(new Set(own.map((row) => row[field]))).toEqual(new Set([undefined]));
    expect(notices['bankone.nominas.columns_missing']).toContain(`Keys absent: ${key}.`);
  });

  test('null where the wire never has it: reported; where it may: nothing to report', async () => {
    inRows('pagos', (rows) => rows.map((row) => ({ ...row, nombre: null })));
    expect((await read()).notices['bankone.nominas.columns_missing']).toContain('never are: nombre.');
    inRows('pagos', (rows) => rows.map((row) => ({ ...row, mail: '', glosa: '', motivoRechazo: '' })));
    expect((await read()).notices).toEqual({});
  });
});

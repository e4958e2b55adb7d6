/** Fixtures: stored answers → rows, notices, closed accounts; and answers that a parser must refuse. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { source } from '#shared/sources/bankone/source.ts';
import type { JsonObject, Notice, ParsedRow, RawAnswer } from '#shared/sources/source.ts';
import { answerOf } from './ask.ts';
import { SCOPES } from './bankone-stage.ts';

const FOLDER = new URL('../../../shared/sources/bankone/fixtures/', import.meta.url);

interface Case {
  scope: string;
  period: string | null;
  credentials: JsonObject;
  answers: { key: string; file: string; request: JsonObject }[];
  rows: JsonObject[];
  notices: Notice[];
  whereKept?: Notice[];
  closed: string[];
}

const CASES = readdirSync(FOLDER).filter((name) => name.endsWith('.case.json'));
const load = (name: string): Case => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
const bodyOf = (file: string): Uint8Array => readFileSync(new URL(file, FOLDER));
const answersOf = ({ answers }: Case): RawAnswer[] =>
  answers.map(({ key, request, file }) => answerOf(key, request, bodyOf(file)));

const parse = (
  { scope, period, credentials }: Pick<Case, 'scope' | 'period' | 'credentials'>,
  answers: RawAnswer[],
) => {
  const rows: ParsedRow[] = [];
  const notices: Notice[] = [];
  const whereKept: Notice[] = [];
  const closed: string[] = [];
  for (const item of source.parse({ scope, period, credentials }, answers)) {
    if ('notice' in item) notices.push(item.notice);
    else if ('whereKept' in item) whereKept.push(item.whereKept);
    else if ('closed' in item) closed.push(item.closed);
    else if ('row' in item) rows.push(item.row);
  }
  return { rows, notices, whereKept, closed };
};

test('batches of another company are refused', () => {
  const fixture = load('nominas.case.json');
  const answers = answersOf(fixture).map((answer) => {
    const body = JSON.parse(new TextDecoder().decode(answer.body));
    if (!Array.isArray(body.nominas)) return answer;
    return { ...answer, body: new TextEncoder().encode(JSON.stringify({ ...body, rutEmpresa: '0700000036' })) };
  });
  expect(() => parse(fixture, answers)).toThrow(/batches of another company/);
});

describe('fixtures', () => {
  test('there is every scope and variant of the wire', () => expect(CASES.length).toBeGreaterThanOrEqual(13));

  test.each(CASES)('%s', (name) => {
    const fixture = load(name);
    const answers = answersOf(fixture);
    const { rows, notices, whereKept, closed } = parse(fixture, answers);
    // Not `toMatchObject`: a field that is missing in the answer must be undefined, and no additional field may appear.
    expect(rows.map(({ row }) => row)).toEqual(fixture.rows);
    expect(notices).toEqual(fixture.notices);
    expect(whereKept).toEqual(fixture.whereKept ?? []);
    expect(closed).toEqual(fixture.closed);
    for (const { row, answerKey } of rows) {
      SCOPES[fixture.scope]!.parsed.parse(row);
      expect(answers.map(({ key }) => key)).toContain(answerKey);
    }
    // The result does not depend on the order of the answers.
    expect(parse(fixture, answers.toReversed())).toEqual({ rows, notices, whereKept, closed });
  });
});

const ACCOUNTS = answerOf('accounts', { list: 'accounts', today: '2026-11-20' }, bodyOf('accounts-clp.body'));
const ACCOUNT = '001230045607';

/** One answer with one good and one changed row (or head), at its position among the others. */
const spoilt = (name: string, file: string, list: string | null, change: JsonObject, at = 0): unknown => {
  const fixture = load(`${name}.case.json`);
  const answers = fixture.answers.map(({ key, request, file: body }) => {
    const text = new TextDecoder().decode(bodyOf(body));
    if (body !== file) return answerOf(key, request, text);
    const json = JSON.parse(text);
    const target = list === null ? json : json[list][at];
    for (const [field, value] of Object.entries(change)) {
      if (value === GONE) delete target[field];
      else target[field] = value;
    }
    return answerOf(key, request, JSON.stringify(json));
  });
  try {
    return { rows: parse(fixture, answers).rows.length };
  } catch (error) {
    return error;
  }
};

const GONE = 'GONE';

describe('what cannot be read is named by answer, row and field, never by value', () => {
  test.each<[string, string, string | null, string, unknown]>([
    ...([
      ['fecha', '20261131 10:00:00'],
      ['fecha', '20261105'],
      ['fecha', '20261105 24:00:00'],
      ['fecha', '2026-11-05 10:00:00'],
      ['fecha', '20250105 10:00:00'],
      ['fecha', ''],
      ['fecha', GONE],
      ['monto', '-3500000'],
      ['monto', '3.500.000'],
      ['monto', '3500,00'],
      ['monto', '3500.5'],
      ['monto', 3500000],
      ['monto', ''],
      ['monto', null],
      ['monto', GONE],
      ['monto', '1e6'],
      ['tipo', 'C'],
      ['tipo', ''],
      ['tipo', GONE],
      ['descripcion', { texto: 'x' }],
      ['numeroDocumento', GONE],
      ['saldoMovimiento', 'Sin información'],
      ['saldoMovimiento', GONE],
      ['saldoMovimiento', ''],
      ['saldoMovimiento', null],
      ['saldoMovimiento', '15075001'],
      ['monto', '3500001'],
      ['tipo', 'cargo'],
      ['id', GONE],
      ['id', ''],
    ].map(([field, value]) => ['movements-open', 'open-page-1.body', 'movimientos', field, value]) as never),
    ...([
      ['fecha', '31/11/2026'],
      ['fecha', '2026-10-03'],
      ['fecha', '03/10/2025'],
      ['fecha', GONE],
      ['cargo', '1300000.00'],
      ['cargo', '1.30.000'],
      ['cargo', '-1.300.000'],
      ['cargo', '1.300.001'],
      ['cargo', ''],
      ['cargo', GONE],
      ['abono', '5'],
      ['abono', GONE],
      ['saldo', '8.500.001'],
      ['saldo', GONE],
      ['saldo', ''],
      ['docto', GONE],
    ].map(([field, value]) => ['movements-closed', 'closed-clp-1.body', 'lineas', field, value]) as never),
    ['movements-closed', 'closed-clp-1.body', null, 'saldoInicial', '9.800.001'],
    ['movements-closed', 'closed-clp-1.body', null, 'saldoInicial', ''],
    ['movements-closed', 'closed-clp-2.body', null, 'saldoFinal', '12.000.001'],
    ['movements-closed', 'closed-clp-1.body', null, 'numeroCuenta', '999'],
    ['movements-closed', 'closed-clp-1.body', null, 'periodo', '2026-09'],
    ['movements-closed', 'closed-clp-1.body', null, 'totalPaginas', 3],
    ['movements-closed', 'statements-clp.body', null, 'cartolas', GONE],
    ['movements-open', 'open-page-1.body', null, 'pagina', GONE],
    ['movements-open', 'open-page-1.body', null, 'codigo', 'SIN_DATOS'],
    ['movements-open', 'open-page-1.body', null, 'saldoInicial', '12007401'],
    ['movements-open', 'open-page-1.body', null, 'saldoFinal', '15075001'],
    ['movements-open', 'open-page-1.body', null, 'saldoFinal', GONE],
    ['movements-open', 'open-page-1.body', null, 'movimientos', null],
    ['movements-open', 'accounts-clp.body', 'cuentas', 'numero', ''],
    ['movements-open', 'accounts-clp.body', 'cuentas', 'moneda', 'pesos'],
    ['movements-open', 'accounts-clp.body', null, 'rutEmpresa', GONE],
    ['balances', 'balance-clp.body', null, 'saldoContable', '15.200.000'],
    ['balances', 'balance-clp.body', null, 'saldoDisponible', GONE],
    ['balances', 'balance-clp.body', null, 'saldoContable', ''],
    ['balances', 'balance-clp.body', null, 'saldoDisponible', null],
    ['balances', 'balance-clp.body', null, 'saldoProvisorio', GONE],
    ['balances', 'balance-clp.body', null, 'moneda', 'USD'],
    ['balances', 'balance-clp.body', null, 'numeroCuenta', '501230000819'],
    ['balances', 'balance-clp.body', null, 'fechaConsulta', ''],
    ['transfers', 'transfers-received.body', 'transferencias', 'monto', '-5'],
    ['transfers', 'transfers-received.body', 'transferencias', 'monto', GONE],
    ['transfers', 'transfers-received.body', 'transferencias', 'estado', GONE],
    ['transfers', 'transfers-received.body', 'transferencias', 'estado', null],
    ['transfers', 'transfers-received.body', 'transferencias', 'moneda', ''],
    ['transfers', 'transfers-received.body', 'transferencias', 'fecha', '20260906 10:00:00'],
    ['transfers', 'transfers-received.body', 'transferencias', 'numeroTransaccion', GONE],
    ['transfers', 'transfers-received.body', 'transferencias', 'numeroTransaccion', ''],
    ['transfers', 'transfers-received.body', null, 'direccion', 'ENVIADAS'],
    ['nominas', 'batches.body', 'nominas', 'fechaPago', '20261231'],
    ['nominas', 'batches.body', 'nominas', 'montoTotal', '1.750.000'],
    ['nominas', 'batches.body', 'nominas', 'cantidadRegistros', -1],
    ['nominas', 'batches.body', 'nominas', 'cantidadRegistros', 3],
    ['nominas', 'batches.body', 'nominas', 'cantidadRegistros', ''],
    ['nominas', 'batches.body', 'nominas', 'montoTotal', '1750001'],
    ['nominas', 'batches.body', 'nominas', 'montoTotal', null],
    ['nominas', 'batches.body', 'nominas', 'numeroNomina', ''],
    ['nominas', 'payments.body', 'pagos', 'linea', null],
    ['nominas', 'payments.body', 'pagos', 'linea', 0],
    ['nominas', 'payments.body', 'pagos', 'monto', ''],
    ['nominas', 'payments.body', 'pagos', 'monto', '9000000'],
    ['nominas', 'batches.body', 'nominas', 'fechaPago', ''],
    ['nominas', 'payments.body', 'pagos', 'monto', '-900000'],
    ['nominas', 'payments.body', 'pagos', 'linea', 'uno'],
    ['nominas', 'payments.body', 'pagos', 'moneda', GONE],
    ['nominas', 'payments.body', null, 'numeroNomina', '300999'],
  ])('%s, %s, %s: %s = %j', (name, file, list, field, value) => {
    const failure = spoilt(name, file, list, { [field]: value } as JsonObject);
    expect(failure).toMatchObject({ name: 'SourceError', code: 'source.unexpected_response' });
    const { message } = failure as Error;
    if (list !== null && !/saldo|1\.300\.001/.test(`${field}${value}`)) expect(message).toMatch(/row \d/);
    if (typeof value === 'string' && value.length > 3 && value !== GONE) expect(message).not.toContain(value);
    expect(message).not.toMatch(/\d{7}/);
  });

  test('an unchanged fixture is read: the changes above are what is refused', () => {
    for (const name of ['movements-open', 'movements-closed', 'balances', 'transfers', 'nominas'])
      expect(spoilt(name, 'accounts-clp.body', null, { nuevo: 1 }), name).toMatchObject({ rows: expect.any(Number) });
  });

  test.each([
    ['no accounts', []],
    ['no reading', [ACCOUNTS]],
    [
      'a reading without its end',
      [ACCOUNTS, answerOf('k', { list: 'open/1', reading: 1, from: 1, account: ACCOUNT }, bodyOf('open-page-1.body'))],
    ],
    [
      'a reading without its beginning',
      [ACCOUNTS, answerOf('k', { list: 'open/1', reading: 1, from: 3, account: ACCOUNT }, bodyOf('open-page-2.body'))],
    ],
    ['no JSON', [answerOf('accounts', { today: '2026-11-20' }, '<html>')]],
  ])('%s', (_what, answers) => {
    const movements = { scope: 'movements', period: '2026-11', credentials: { rut: '11111111-1' } };
    expect(() => parse(movements, answers)).toThrow(expect.objectContaining({ code: 'source.unexpected_response' }));
  });
});

describe('what may differ is read', () => {
  const reads = (...args: Parameters<typeof spoilt>) =>
    expect(spoilt(...args)).toMatchObject({ rows: expect.any(Number) });

  test('words in other case, counts as text, one page object instead of a list', () => {
    reads('movements-open', 'open-page-1.body', 'movimientos', { tipo: 'ABONO' });
    reads('movements-open', 'open-page-1.body', null, { pagina: { totalRegistros: '5', masPaginas: 'true' } });
    reads('nominas', 'batches.body', 'nominas', { tipo: 'BONOS', estado: 'EN_ESTUDIO', cantidadRegistros: '2' });
    reads('transfers', 'transfers-received.body', 'transferencias', { estado: 'EN_REVISION' }, 1);
  });

  test('an account is the same with dashes, blanks or other zeros', () => {
    reads('balances', 'balance-clp.body', null, { numeroCuenta: '1-2300-45607' });
    reads('movements-closed', 'closed-clp-1.body', null, { numeroCuenta: '1230045607', folio: '322' });
  });
});

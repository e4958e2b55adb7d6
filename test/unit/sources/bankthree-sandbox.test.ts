/**
 * The sandbox's own wire, without the adapter's client: the rules of banks.md §3.3, its refusals, and its endpoints for
 * tests.
 */
import Big from 'big.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifest } from '#shared/sources/bankthree/manifest.ts';
import { type BankthreeCredential, SANDBOX_CREDENTIALS } from '#shared/sources/bankthree/sandbox/credentials.ts';
import type { Ledger } from '#shared/sources/bankthree/sandbox/ledger.ts';
import { type BankthreeSandbox, createBankthreeSandbox } from '#shared/sources/bankthree/sandbox/server.ts';
import { splitRut } from '#shared/values/rut.ts';
import { NOW_MS } from './ask.ts';

const WORKS = SANDBOX_CREDENTIALS[0]!;
const LOGIN = WORKS.credentials.rut!;
const ACCOUNT = '000000769901231';
let sandbox: BankthreeSandbox;
let url: string;
let nowMs = NOW_MS;

beforeAll(async () => {
  sandbox = createBankthreeSandbox({ now: () => nowMs });
  url = await sandbox.listen(0);
});
afterAll(() => sandbox.close());

const TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
/** The password as an ISO-8859-1 page posts it. */
const CLAVE = 'contrase%F1a-1';

const call = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${url}/empresas/${path}`, { redirect: 'manual', ...init });
  const body = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, body, text: body.toString('latin1') };
};

const post = (path: string, body: string, cookie = '') =>
  call(path, { method: 'POST', headers: { ...TYPE, cookie }, body });

const logIn = ({ credentials }: BankthreeCredential = WORKS, clave = CLAVE) => {
  const { body, checkDigit } = splitRut(credentials.rut!);
  return post('login.asp', `rut=${body}&dv=${checkDigit}&clave=${clave}`);
};

const sessionOf = async (entry?: BankthreeCredential): Promise<string> => {
  const { status, headers } = await logIn(entry);
  expect([status, headers.get('location')]).toEqual([302, '/empresas/inicio.asp']);
  return headers.getSetCookie()[0]!.split(';')[0]!;
};

const statement = async (cookie: string, fecha: string, account = ACCOUNT) =>
  post('cuentas/cartola_txt.asp', `cuenta=${account}&fecha=${fecha}`, cookie);

describe('login', () => {
  test('a session is a redirect and a cookie; without one every page is the login form', async () => {
    const cookie = await sessionOf();
    expect(cookie).toMatch(/^ASPSESSIONID=[A-Z]{24}$/);
    expect((await call('inicio.asp', { headers: { cookie } })).text).toContain('Bienvenido');
    const pages = [
      await call('cuentas/cartola_corriente.asp'),
      await call('cuentas/saldos_csv.asp', { headers: { cookie: 'ASPSESSIONID=X' } }),
      await statement('', 'ACTUAL'),
    ];
    for (const { status, text } of pages)
      expect([status, text]).toEqual([200, expect.stringContaining('name="clave"')]);
  });

  test.each([
    ['another clave', 'rut=12345678&dv=5&clave=otra'],
    ['a clave in UTF-8', 'rut=12345678&dv=5&clave=contrase%C3%B1a-1'],
    ['a wrong check digit', `rut=12345678&dv=6&clave=${CLAVE}`],
    ['RUT and check digit in one', `rut=12345678-5&dv=&clave=${CLAVE}`],
    ['a RUT with dots', `rut=12.345.678&dv=5&clave=${CLAVE}`],
    ['no field', ''],
  ])('%s is a wrong clave with HTTP 200 and a cookie that is no session', async (_what, form) => {
    const { status, text, headers } = await post('login.asp', form);
    expect([status, text]).toEqual([200, expect.stringMatching(/clave incorrecta/i)]);
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
    expect((await call('cuentas/saldos_csv.asp', { headers: { cookie } })).text).toContain('name="clave"');
  });

  test('JSON is no form', async () => {
    const body = JSON.stringify({ rut: '12345678', dv: '5', clave: WORKS.credentials.password });
    const headers = { 'content-type': 'application/json' };
    expect((await call('login.asp', { method: 'POST', headers, body })).text).toMatch(/clave incorrecta/i);
  });

  test('pages are ISO-8859-1: ó of mantención is the byte F3', async () => {
    const entry = SANDBOX_CREDENTIALS.find(({ behaviour }) => behaviour === 'maintenance')!;
    const { body, headers } = await logIn(entry);
    expect(headers.get('content-type')).toBe('text/html; charset=ISO-8859-1');
    expect(body.includes(Buffer.from([0x63, 0x69, 0xf3, 0x6e]))).toBe(true);
  });

  test('by knob, wrong claves lock the user', async () => {
    const own = createBankthreeSandbox({ now: () => nowMs, knobs: { lockAfter: 3 } });
    const before = url;
    url = await own.listen(0);
    try {
      for (let i = 0; i < 3; i++) expect((await logIn(WORKS, 'otra')).text).toMatch(/clave incorrecta/i);
      expect((await logIn()).text).toContain('BLOQUEADA');
      expect(own.logins(LOGIN)).toBe(4);
    } finally {
      url = before;
      await own.close();
    }
  });

  test('ends with a logout, or after 600 s without a call', async () => {
    const isIn = async (cookie: string) =>
      (await call('inicio.asp', { headers: { cookie } })).text.includes('Bienvenido');
    const first = await sessionOf();
    await call('salir.asp', { headers: { cookie: first } });
    expect(await isIn(first)).toBe(false);
    const second = await sessionOf();
    nowMs += 599_000;
    expect(await isIn(second)).toBe(true);
    nowMs += 600_000;
    expect(await isIn(second)).toBe(false);
    nowMs = NOW_MS;
  });
});

describe('statements', () => {
  test('two selects: accounts of 15 digits, ACTUAL and 24 closed months, newest first', async () => {
    const { text } = await call('cuentas/cartola_corriente.asp', { headers: { cookie: await sessionOf() } });
    const values = [...text.matchAll(/<option value="([^"]*)">/g)].map((match) => match[1]!);
    expect(values.slice(0, 5)).toEqual([ACCOUNT, '000000769901232', '000000769901233', 'ACTUAL', '202610']);
    expect(values).toHaveLength(3 + 25);
    expect(values.at(-1)).toBe('202411');
  });

  test('lines of 109 characters, CRLF, oldest first, and sums that hold', async () => {
    const cookie = await sessionOf();
    for (const fecha of ['ACTUAL', '202610', '202411']) {
      const { text, headers } = await statement(cookie, fecha);
      expect(headers.get('content-type')).toBe('text/plain; charset=ISO-8859-1');
      expect(headers.get('content-disposition')).toBe(`attachment; filename=CTA_769901231_${fecha}.txt`);
      const lines = text.split('\r\n');
      expect(lines.pop()).toBe('');
      expect(new Set(lines.map((line) => line.length))).toEqual(new Set([109]));
      expect(lines[0]![99]).toBe(fecha === 'ACTUAL' ? 'P' : 'H');
      const days = lines.slice(1, -1).map((line) => line.slice(1, 11).split('/').toReversed().join(''));
      expect(days.toSorted()).toEqual(days);
      const trailer = lines.at(-1)!;
      const at = (first: number) =>
        new Big(
          trailer
            .slice(first - 1, first + 17)
            .trim()
            .replace(',', '.'),
        );
      expect(Number(trailer.slice(1, 8))).toBe(days.length);
      expect(at(9).minus(at(27)).plus(at(45)).eq(at(63))).toBe(true);
    }
  });

  test.each([
    ['with movements in each', 'works', undefined],
    ['the middle one without', 'blank_separated', '2026-10'],
  ])('a month begins where the one before ended: %s', async (_what, behaviour, idle) => {
    const entry = SANDBOX_CREDENTIALS.find((one) => one.behaviour === behaviour)!;
    if (idle !== undefined) {
      const knob = { rut: entry.credentials.rut, period: idle, movements: 0 };
      const headers = { 'content-type': 'application/json' };
      await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(knob) });
    }
    const cookie = await sessionOf(entry);
    const account = `${splitRut(entry.credentials.company_rut!).body}1`.padStart(15, '0');
    const totals = async (fecha: string) =>
      (await statement(cookie, fecha, account)).text.trimEnd().split('\r\n').at(-1)!;
    const [september, october, open] = await Promise.all([totals('202609'), totals('202610'), totals('ACTUAL')]);
    expect(october.slice(8, 26)).toBe(september.slice(62, 80));
    expect(open.slice(8, 26)).toBe(october.slice(62, 80));
    expect(Number(october.slice(1, 8)) === 0).toBe(idle !== undefined);
  });

  test.each([
    ['the open month by its number', '202611', 'Período no disponible'],
    ['one too old', '202410', 'Período no disponible'],
    ['one to come', '202612', 'Período no disponible'],
    ['no month', 'abc', 'Período no disponible'],
  ])('%s', async (_what, fecha, words) => {
    expect((await statement(await sessionOf(), fecha)).text).toContain(words);
  });

  test('accounts of others, or none, are not shown', async () => {
    const cookie = await sessionOf();
    for (const account of ['000000771000021', '', 'x']) {
      expect((await statement(cookie, 'ACTUAL', account)).text).toContain('Cuenta no autorizada');
    }
    const headers = { cookie, 'content-type': 'application/json' };
    const body = JSON.stringify({ cuenta: ACCOUNT, fecha: 'ACTUAL' });
    const answer = await call('cuentas/cartola_txt.asp', { method: 'POST', headers, body });
    expect(answer.text).toContain('Cuenta no autorizada');
    expect((await call('cuentas/cartola_txt.asp', { headers: { cookie } })).status).toBe(404);
  });

  test('balances have dots, commas, a sign in front and an empty cell', async () => {
    const { text, headers } = await call('cuentas/saldos_csv.asp', { headers: { cookie: await sessionOf() } });
    expect(headers.get('content-type')).toBe('text/csv; charset=ISO-8859-1');
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('CUENTA;MONEDA;FECHA;HORA;SALDO CONTABLE;SALDO DISPONIBLE');
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^\d{15};CLP;20\/11\/2026;12:00;-?\d{1,3}(\.\d{3})+,\d{2};-?\d{1,3}(\.\d{3})*,\d{2}$/),
      expect.stringMatching(/^\d{15};USD;20\/11\/2026;12:00;-?\d{1,3}(\.\d{3})*,\d{2};0,00$/),
      expect.stringMatching(/^\d{15};CLP;20\/11\/2026;12:00;-?\d{1,3}(\.\d{3})+,\d{2};$/),
      '',
    ]);
  });

  test('a dollar account is overdrawn now and then', async () => {
    const cookie = await sessionOf();
    const months = ['ACTUAL', ...Array.from({ length: 10 }, (_, i) => `2026${String(10 - i).padStart(2, '0')}`)];
    const files = await Promise.all(months.map((fecha) => statement(cookie, fecha, '000000769901232')));
    expect(files.some(({ text }) => / -\d+,\d{2}(?: |\r)/.test(text))).toBe(true);
  });

  test('the same seed gives the same bank', () => {
    const twin = createBankthreeSandbox({ now: () => nowMs });
    const other = createBankthreeSandbox({ now: () => nowMs, seed: 'other' });
    expect(twin.ledger(LOGIN)).toEqual(sandbox.ledger(LOGIN));
    expect(other.ledger(LOGIN)).not.toEqual(sandbox.ledger(LOGIN));
  });

  test('the open month only grows', () => {
    const before = sandbox.ledger(LOGIN).movements['2026-11']!.count;
    nowMs += 5 * 86_400_000;
    expect(sandbox.ledger(LOGIN).movements['2026-11']!.count).toBeGreaterThan(before);
    nowMs = NOW_MS;
  });
});

describe('doors for tests', () => {
  const get = async (path: string): Promise<unknown> => (await fetch(`${url}/_sandbox/${path}`)).json();
  const turn = async (change: unknown): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(change) })).status;
  };

  test('the ledger adds up', async () => {
    const { movements, balances } = (await get(`ledger?login=${LOGIN}`)) as Ledger;
    expect(Object.keys(movements)).toHaveLength(25);
    const { count, sums, by } = movements['2026-10']!;
    expect(by.received.count + by.issued.count).toBe(count);
    const { amount } = sums;
    expect(new Big(by.received.sums.amount!).plus(by.issued.sums.amount!).eq(amount!)).toBe(true);
    expect(Number(by.issued.sums.amount)).toBeLessThan(0);
    expect(await get(`ledger?login=${LOGIN}&period=2026-10`)).toEqual({
      movements: { '2026-10': movements['2026-10'] },
      balances,
    });
  });

  test('logins are counted, and sizes are a knob', async () => {
    const entry = SANDBOX_CREDENTIALS.find(({ behaviour }) => behaviour === 'empty')!;
    const { rut } = entry.credentials;
    await logIn(entry);
    expect(await get(`logins?login=${rut}`)).toEqual({ logins: 1, sessions: 1 });
    expect(await turn({ rut, period: '2026-08', movements: 100 })).toBe(200);
    const { movements } = (await get(`ledger?login=${rut}`)) as Ledger;
    // One movement is held and never booked; another makes the month's sum zero.
    expect([movements['2026-08']!.count, movements['2026-07']!.count]).toEqual([100, 0]);
    expect(await turn({ rut, expireSessions: true })).toBe(200);
    expect(await get(`logins?login=${rut}`)).toEqual({ logins: 1, sessions: 0 });
    expect(await turn({ rut, reset: true })).toBe(200);
    expect(await get(`logins?login=${rut}`)).toEqual({ logins: 0, sessions: 0 });
  });

  test.each([{ knob: 1 }, { movements: 5 }, { rut: 'x', movements: 5 }, { expiredAnswer: 'x' }, []])(
    'unknown or faulty: %j',
    async (change) => expect(await turn(change)).toBe(400),
  );
});

describe('the credential table', () => {
  test('is what the manifest accepts', () => {
    for (const { credentials, metadata } of SANDBOX_CREDENTIALS) {
      expect(manifest.credentialsSchema.safeParse(credentials).success).toBe(true);
      expect(manifest.metadataSchema.safeParse(metadata).success).toBe(true);
    }
  });

  test('has every RUT once, and begins with one that works', () => {
    const ruts = SANDBOX_CREDENTIALS.map(({ credentials }) => credentials.rut);
    expect(new Set(ruts).size).toBe(ruts.length);
    expect(SANDBOX_CREDENTIALS[0]!.behaviour).toBe('works');
  });
});

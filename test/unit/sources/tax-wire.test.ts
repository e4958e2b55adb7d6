/** The sandbox's own wire, without the adapter's client: the traps of tax.md §3, §4, §5 and its endpoints for tests. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { csvLines } from '#shared/sources/tax/sandbox/csv.ts';
import { generateMonth } from '#shared/sources/tax/sandbox/generate.ts';
import type { Ledger } from '#shared/sources/tax/sandbox/ledger.ts';
import { createTaxSandbox, type TaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { normalizeRut, splitRut } from '#shared/values/rut.ts';
import { NOW_MS } from './ask.ts';

const SMALL = SANDBOX_CREDENTIALS[0]!.credentials;
const LARGE = SANDBOX_CREDENTIALS.find(({ volume }) => volume === 'large')!.credentials;
const NAMESPACE = 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService';
let sandbox: TaxSandbox;
let url: string;
let nowMs = NOW_MS;

beforeAll(async () => {
  sandbox = createTaxSandbox({ now: () => nowMs, knobs: { sessionCap: 100 } });
  url = await sandbox.listen(0);
});
afterAll(() => sandbox.close());

const login = async ({ rut, password } = SMALL, cookie = ''): Promise<{ token: string | undefined; html: string }> => {
  const { body, checkDigit } = splitRut(rut);
  const answer = await fetch(`${url}/cgi_AUT2000/CAutInicio.cgi`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ rut: body, dv: checkDigit, clave: password, referencia: 'https://misiir.sii.cl/x' }),
  });
  const token = answer.headers.getSetCookie().map((line) => /^TOKEN=([^;]+)/.exec(line)?.[1]);
  return { token: token.find(Boolean), html: await answer.text() };
};

interface Sent {
  data?: Record<string, unknown>;
  metaData?: Record<string, unknown>;
  headers?: Record<string, string>;
  method?: string;
}

const send = async (token: string | undefined, name: string, { data, metaData, headers, method }: Sent = {}) => {
  const { body, checkDigit } = splitRut(SMALL.rut);
  const scope = { rutEmisor: body, dvEmisor: checkDigit, ptributario: '202610', operacion: 'COMPRA' };
  const answer = await fetch(`${url}/consdcvinternetui/services/data/facadeService/${name}`, {
    method: method ?? 'POST',
    headers: { cookie: `TOKEN=${token}`, 'content-type': 'application/json', accept: '*/*', ...headers },
    ...(method === 'GET'
      ? {}
      : {
          body: JSON.stringify({
            metaData: { namespace: `${NAMESPACE}/${name}`, conversationId: token, transactionId: '1', ...metaData },
            data: { ...scope, estadoContab: 'REGISTRO', ...data },
          }),
        }),
  });
  const text = await answer.text();
  const json = text.startsWith('{') ? JSON.parse(text) : undefined;
  return { status: answer.status, text, json };
};

describe('the envelope', () => {
  test.each<[string, Sent, number, RegExp]>([
    ['GET', { method: 'GET' }, 405, /Not Allowed/],
    ['a bare Accept', { headers: { accept: 'application/json' } }, 500, /RESTEASY001530/],
    ['no session', { headers: { cookie: '' } }, 401, /JBWEB000065/],
    ['no namespace', { metaData: { namespace: null } }, 200, /^{"errorMsg":"Acceso no autorizado!"}$/],
    ['no conversation', { metaData: { conversationId: null } }, 200, /^{"errorMsg":"Acceso no autorizado!"}$/],
    ['another conversation', { metaData: { conversationId: 'X' } }, 200, /"codRespuesta":99,"msgeRespuesta":"El token/],
    ['an unknown key', { data: { periodo: '2026-10' } }, 400, /"periodo" \(Class cl\.sii/],
    ['no page', { metaData: { page: undefined } }, 200, /"codRespuesta":0/],
    ['a period too old', { data: { ptributario: '201704' } }, 200, /"data":null.*Periodo consultado no válido/],
    ['an empty period', { data: { ptributario: '201901' } }, 200, /"data":null.*"codRespuesta":3/],
    ['another company', { data: { rutEmisor: '70000003', dvEmisor: '6' } }, 200, /no autorizado/],
    ['dv in lower case', { data: { dvEmisor: splitRut(SMALL.rut).checkDigit.toLowerCase() } }, 200, /"codRespuesta":0/],
  ])('%s', async (_what, sent, status, body) => {
    const { token } = await login();
    const answer = await send(token, 'getResumen', sent);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(body);
  });
});

describe('sessions', () => {
  test('a token is 13 letters and digits, and stale cookies take a slot', async () => {
    const own = createTaxSandbox({ now: () => nowMs, knobs: { sessionCap: 2 } });
    const before = url;
    url = await own.listen(0);
    try {
      const { token } = await login();
      expect(token).toMatch(/^[A-Z0-9]{13}$/);
      expect((await login(SMALL, `TOKEN=${token}`)).html).toContain('máximo de sesiones');
      expect((await login()).token).toBeDefined();
      expect((await login()).token).toBeUndefined();
      nowMs += 2 * 3_600_000;
      expect((await send(token, 'getResumen')).status).toBe(401);
      expect((await login()).token).toBeDefined();
    } finally {
      nowMs = NOW_MS;
      url = before;
      await own.close();
    }
  });

  test('a wrong password leaves no cookie and shows the login page', async () => {
    const { token, html } = await login({ ...SMALL, password: 'otra' });
    expect(token).toBeUndefined();
    expect(html).toContain('type="password"');
  });
});

describe('the register', () => {
  test('boletas are a monthly total without documents', async () => {
    const { token } = await login();
    const { json } = await send(token, 'getResumen', { data: { operacion: 'VENTA' } });
    const totals = json.data.filter((row: { rsmnLink: boolean }) => !row.rsmnLink);
    expect(totals.map((row: { rsmnTipoDocInteger: number }) => row.rsmnTipoDocInteger)).toEqual([39, 41, 48]);
  });

  test('types are null in purchases and given in sales', async () => {
    const { token } = await login();
    for (const [name, type] of [
      ['getDetalleCompra', null],
      ['getDetalleVenta', 33],
    ] as const) {
      const { json } = await send(token, name, { data: { codTipoDoc: 33, operacion: '' } });
      expect(json.data.length).toBeGreaterThan(10);
      expect(json.data[0].detTipoDoc).toBe(type);
      expect(Object.keys(json.data[0])).toHaveLength(67);
    }
  });

  test('exports: all types or one, and none in silence above the limit', async () => {
    const { token } = await login();
    const columns = async (codTipoDoc: number, estadoContab = 'REGISTRO', name = 'getDetalleCompraExport') =>
      (await send(token, name, { data: { codTipoDoc, estadoContab } })).json.data[0].split(';').length;
    expect(await columns(0)).toBe(27);
    expect(await columns(33)).toBe(26);
    expect(await columns(0, 'NO_INCLUIR')).toBe(24);
    expect(await columns(0, 'RECLAMADO')).toBe(24);
    expect(await columns(0, 'PENDIENTE')).toBe(23);
    expect(await columns(0, 'REGISTRO', 'getDetalleVentaExport')).toBe(43);
    expect(await columns(33, 'REGISTRO', 'getDetalleVentaExport')).toBe(42);
    const summary = (await send(token, 'getResumenExport')).json.data;
    expect(summary[0].split(';')).toHaveLength(8);
    const large = (await login(LARGE)).token;
    const { body, checkDigit } = splitRut(LARGE.rut);
    const data = { rutEmisor: body, dvEmisor: checkDigit, codTipoDoc: 33 };
    expect((await send(large, 'getDetalleCompraExport', { data })).json.data).toHaveLength(1);
    expect((await send(large, 'getDetalleCompra', { data })).json.data).toBeNull();
  });

  test('a job goes from CREADO to TERMINADO by the clock, next to older ones', async () => {
    const { token } = await login();
    const jobs = async (generaCtrl: boolean) =>
      (await send(token, 'getCtrlAsync', { data: { codTipoDoc: '33', generaCtrl, totDoc: 0 } })).json.data;
    const older = await jobs(false);
    expect(older.map(({ caEstado }: { caEstado: string }) => caEstado)).toEqual(['TERMINADO', 'TERMINADO']);
    const created = (await jobs(true)).at(-1);
    expect(created).toMatchObject({ caEstado: 'CREADO', caIdBLOB: 'SIN-BLOB', compraOVenta: 'C', caPeriodo: 202610 });
    nowMs += 2_000;
    expect((await jobs(false)).at(-1)).toMatchObject({ caEstado: 'EN PROCESO', caIdBLOB: 'SIN-BLOB' });
    nowMs += 3_000;
    const done = (await jobs(false)).at(-1);
    expect(done).toMatchObject({ caId: created.caId, caEstado: 'TERMINADO' });
    const user = splitRut(SMALL.rut).body;
    const path = `/consdcvinternetui/services/data/facadeService/obtenerArchivoBLOB/${done.caIdBLOB}/${user}/${user}/${done.caId}`;
    const answer = await fetch(`${url}${path}`, { headers: { cookie: `TOKEN=${token}` } });
    const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString('utf8');
    expect(text.split('\r\n')[0]?.split(';')).toHaveLength(26);
    expect((await fetch(`${url}${path}`)).status).toBe(401);
    nowMs = NOW_MS;
  });
});

describe('data', () => {
  const month = { seed: 'tax', company: SMALL.rut, period: '2026-10', documents: 3000, today: '2026-11-20' };
  const docs = generateMonth(month);

  test('come only from the seed', () => {
    expect(generateMonth(month)).toEqual(docs);
    expect(generateMonth({ ...month, seed: 'other' })).not.toEqual(docs);
  });

  test('are plausible', () => {
    expect(docs).toHaveLength(3000);
    expect(docs.every(({ rut }) => normalizeRut(rut) === rut)).toBe(true);
    expect(new Set(docs.map(({ type }) => type))).toEqual(new Set([33, 34, 61, 46, 56, 30, 110]));
    expect(docs.every(({ total }) => total > 0)).toBe(true);
    expect(docs.some(({ name }) => name.includes('Ñ'))).toBe(true);
    expect(docs.some(({ issued }) => issued.startsWith('31/'))).toBe(true);
    expect(docs.filter(({ type }) => type === 110).every(({ rut }) => rut === '55555555-5')).toBe(true);
    expect(docs.filter(({ type }) => type === 61).every(({ reference }) => reference?.type === 33)).toBe(true);
    expect(new Set(docs.map(({ folio }) => folio)).size).toBe(3000);
  });

  test('a month that is not over only grows: its rows stay unchanged', () => {
    const shown = (today: string) => generateMonth({ ...month, period: '2026-11', today });
    const later = new Map(shown('2026-11-25').map((doc) => [doc.folio, doc]));
    const before = shown('2026-11-20');
    expect(later.size).toBeGreaterThan(before.length);
    for (const { estado: _, acknowledged: _a, event: _e, ...doc } of before)
      expect(later.get(doc.folio)).toMatchObject({
        ...doc,
        vat: expect.anything(),
        vatNotRecoverable: expect.anything(),
      });
  });

  test('data lines have one cell more than the header', () => {
    const lines = csvLines(
      docs.slice(0, 200).filter(({ operation }) => operation === 'COMPRA'),
      'COMPRA',
      'REGISTRO',
      true,
    );
    const widths = new Set(lines.slice(1).map((line) => line.split(';').length));
    expect([lines[0]?.split(';').length, ...widths]).toEqual([27, 28]);
    expect(lines.some((line) => line.startsWith(';'))).toBe(true);
  });
});

describe('doors for tests', () => {
  const get = async (path: string): Promise<unknown> => (await fetch(`${url}/_sandbox/${path}`)).json();
  const ledgerOf = async (query: string) => (await get(`ledger?${query}`)) as Ledger;
  const post = async (change: object) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(change) })).status;
  };

  test('the ledger is exact and adds up', async () => {
    const ledger = await ledgerOf(`login=${SMALL.rut}`);
    expect(Object.keys(ledger.rcv)).toHaveLength(25);
    const period = ledger.rcv['2026-10']!;
    const parts = Object.values(period.by);
    expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(period.count);
    expect(String(parts.reduce((sum, { sums }) => sum + Number(sums.total_amount), 0))).toBe(period.sums.total_amount);
    expect(await get(`ledger?login=${SMALL.rut}&period=2026-10`)).toMatchObject({ rcv: { '2026-10': period } });
    expect(Object.keys(ledger)).toEqual(['rcv', 'boletas', 'guias']);
    // The ledger of a person is that of the company whose data the login reads.
    expect(await get('ledger?login=11111111-1')).toEqual(await get('ledger?login=70000003-6'));
  });

  test('logins are counted', async () => {
    const { rut } = SANDBOX_CREDENTIALS.find(({ behaviour }) => behaviour === 'wrong_password')!.credentials;
    await login({ rut, password: 'x' });
    await login({ rut, password: 'y' });
    expect(await get(`logins?login=${rut}`)).toEqual({ logins: 2, sessions: 0 });
  });

  test('sizes go up to 100,000 documents a month, by knob', { timeout: 40_000 }, async () => {
    expect(await post({ rut: LARGE.rut, period: '2026-05', documents: 100_000 })).toBe(200);
    expect((await ledgerOf(`login=${LARGE.rut}&period=2026-05`)).rcv['2026-05']?.count).toBe(100_000);
  });

  test.each([
    { knob: 1 },
    { documents: 5 },
    { rut: 'x', documents: 5 },
    { rut: '70000002-8', move: 1 },
    { charset: 'ebcdic' },
    [],
  ])('unknown or faulty: %j', async (change) => expect(await post(change)).toBe(400));
});

/** The sandbox's apps of receipts and of documents, without the adapter's client: the traps of tax.md §6 and §7. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { createTaxSandbox, type TaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { splitRut } from '#shared/values/rut.ts';
import { NOW_MS } from './ask.ts';

const { rut, password } = SANDBOX_CREDENTIALS[0]!.credentials;
const { body: RUT, checkDigit: DV } = splitRut(rut);
let sandbox: TaxSandbox;
let url: string;
let token: string;

beforeAll(async () => {
  sandbox = createTaxSandbox({ now: () => NOW_MS });
  url = await sandbox.listen(0);
  const form = new URLSearchParams({ rut: RUT, dv: DV, clave: password, referencia: 'https://misiir.sii.cl/x' });
  const answer = await fetch(`${url}/cgi_AUT2000/CAutInicio.cgi`, { method: 'POST', body: form });
  token = answer.headers.getSetCookie().flatMap((line) => /^TOKEN=([^;]+)/.exec(line)?.[1] ?? [])[0]!;
});
afterAll(() => sandbox.close());

interface Sent {
  data?: Record<string, unknown>;
  metaData?: Record<string, unknown>;
  headers?: Record<string, string>;
  method?: string;
}

const BOLETAS = {
  path: 'complementoscvui/services/data/facadeServiceBoletasDiarias',
  namespace: 'cl.sii.sdi.lob.diii.dcv.data.impl.boletasdiarias.FacadeSettingApplicationService',
  data: { rut: RUT, dv: DV, periodo: '202610', tipoDocumento: '39' },
};
const DOCUMENTS = {
  path: 'consemitidosinternetui/services/data/facadeService',
  namespace: 'cl.sii.sdi.lob.diii.consemitidos.data.api.interfaces.FacadeService',
  data: {},
};

const send = async (app: typeof BOLETAS | typeof DOCUMENTS, name: string, sent: Sent = {}) => {
  const { method = 'POST', data = {}, metaData, headers } = sent;
  const page = { pageSize: 1, pageIndex: 1 };
  const whole = { namespace: `${app.namespace}/${name}`, conversationId: token, transactionId: '1', page, ...metaData };
  const answer = await fetch(`${url}/${app.path}/${name}`, {
    method,
    headers: { cookie: `TOKEN=${token}`, 'content-type': 'application/json', accept: '*/*', ...headers },
    ...(method === 'GET' ? {} : { body: JSON.stringify({ metaData: whole, data: { ...app.data, ...data } }) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
};

const days = (sent: Sent = {}) => send(BOLETAS, 'obtieneListaBoletasMes', sent);
const totals = (data = {}, more: Sent = {}) =>
  send(DOCUMENTS, 'getResumen', {
    ...more,
    data: { periodo: '2026-10', rutContribuyente: RUT, dvContribuyente: DV, operacion: '1', ...data },
  });
const guides = (data = {}, name = 'getDetalle') =>
  send(DOCUMENTS, name, {
    data: {
      ...{ tipoDoc: '52', rut: RUT, dv: DV, periodo: '2026-10', operacion: '1', derrCodigo: '52', refNCD: '0' },
      ...data,
    },
  });

describe('receipts', () => {
  test.each<[string, Sent, number, RegExp]>([
    ['GET', { method: 'GET' }, 405, /Not Allowed/],
    ['a bare Accept', { headers: { accept: 'application/json' } }, 500, /RESTEASY001530/],
    ['no session', { headers: { cookie: '' } }, 401, /JBWEB000065/],
    ['no page', { metaData: { page: null } }, 200, /^{"errorMsg":"Acceso no autorizado!"}$/],
    ['the namespace of another app', { metaData: { namespace: 'x' } }, 200, /errorMsg/],
    ['another conversation', { metaData: { conversationId: 'X' } }, 200, /"codRespuesta":99,"msgeRespuesta":"El token/],
    ['an unknown key', { data: { codTipoDoc: '39' } }, 400, /"codTipoDoc" \(Class/],
    ['a month with hyphen', { data: { periodo: '2026-10' } }, 200, /"codRespuesta":2/],
    ['another company', { data: { rut: '70000003', dv: '6' } }, 200, /"codRespuesta":99.*no autorizado/],
    ['an empty month', { data: { periodo: '201901' } }, 200, /"data":null.*"codRespuesta":3/],
    ['an empty month of 41', { data: { periodo: '201901', tipoDocumento: '41' } }, 200, /"boletas":\["Total",null\]/],
  ])('%s', async (_what, sent, status, body) => {
    const answer = await days(sent);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(body);
  });

  test('days add up to their totals and to the register’s line, with junk among them', async () => {
    const { data } = (await days()).json;
    const list = data.boletas.filter((day: unknown) => typeof day === 'object' && day !== null);
    expect(data.boletas.length).toBe(list.length + 2);
    for (const field of ['totalDocumentos', 'montoNeto', 'montoIva', 'montoExento', 'montoTotal'])
      expect(list.reduce((sum: number, day: Record<string, number>) => sum + day[field]!, 0)).toBe(data[field]);
    const { boletas } = sandbox.ledger(rut, '2026-10');
    expect(boletas['2026-10']?.by['39']).toMatchObject({
      count: list.length,
      sums: { total_amount: String(data.montoTotal), total_documentos: String(data.totalDocumentos) },
    });
  });
});

describe('guides', () => {
  test('totals: sections of one type, next to other types', async () => {
    const { data, respEstado } = (await totals()).json;
    expect(respEstado.codRespuesta).toBe(0);
    const sections = data.resumenDte.filter(({ tipoDoc }: { tipoDoc: number }) => tipoDoc === 52);
    expect(sections.map(({ seccion }: { seccion: string }) => seccion).toSorted()).toEqual(['S1', 'S5']);
    expect(data.resumenDte.length).toBeGreaterThan(3);
    const documents = sections.reduce((sum: number, { totalDoc }: { totalDoc: number }) => sum + totalDoc, 0);
    expect(sandbox.ledger(rut, '2026-10').guias['2026-10']?.by.issued?.count).toBe(documents);
  });

  test('details: the other party in *Receptor on both sides, rates with their decimal, totals that are wrong', async () => {
    for (const operacion of ['1', '2']) {
      const { json, text } = await guides({ operacion }, operacion === '2' ? 'getDetalleRecibidos' : 'getDetalle');
      expect(json.data).toBeNull();
      expect(json.metaData.namespace).toBeNull();
      const rows = json.dataResp.detalles;
      expect(rows.length).toBeGreaterThan(2);
      expect(text).toContain('"tasaImptoIVA":19.0,');
      for (const row of rows) expect([row.rutEmisor, typeof row.rutReceptor]).toEqual([null, 'number']);
      const sum = rows.reduce((all: number, { mntTotal }: { mntTotal: number }) => all + mntTotal, 0);
      expect(json.dataResp.totMntTotal).not.toBe(sum);
    }
  });

  test('the operation decides the direction, for any method name', async () => {
    const folios = async (name: string) =>
      (await guides({}, name)).json.dataResp.detalles.map(({ folio }: { folio: number }) => folio);
    expect(await folios('getDetalleRecibidos')).toEqual(await folios('getDetalle'));
  });

  test('the window: the current month and five before it, in totals and details', async () => {
    const code = async (periodo: string) => [
      (await totals({ periodo })).json.respEstado.codRespuesta,
      (await guides({ periodo })).json.respEstado.codRespuesta,
    ];
    expect(await code('2026-06')).toEqual([0, 0]);
    expect(await code('2026-05')).toEqual([1, 1]);
    expect(await code('2026-12')).toEqual([2, 2]);
  });

  test.each<[string, () => Promise<{ status: number; text: string }>, number, RegExp]>([
    ['a month without hyphen', () => totals({ periodo: '202610' }), 200, /"resumenDte":\[\].*"codRespuesta":0/],
    ['another type', () => guides({ tipoDoc: '33' }), 200, /"dataResp":null.*"codRespuesta":2/],
    ['the other app’s RUT', () => guides({ rutContribuyente: RUT }), 400, /"rutContribuyente"/],
    ['another company', () => totals({ rutContribuyente: '70000003', dvContribuyente: '6' }), 200, /cnsmtds\.1\.1\.00/],
    ['another conversation', () => totals({}, { metaData: { conversationId: 'X' } }), 200, /Usuario no autorizado/],
    ['a method that writes', () => send(DOCUMENTS, 'eliminarPublicacionDte'), 404, /Not Found/],
  ])('%s', async (_what, ask, status, body) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(body);
  });
});

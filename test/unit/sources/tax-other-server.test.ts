/** Another server that follows tax.md where it leaves freedom: the adapter was not written against it. */
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RcvRow } from '#shared/scopes/tax-rcv.ts';
import { source } from '#shared/sources/tax/source.ts';
import { createAsk, createClock, createIo } from './ask.ts';

const CREDENTIALS = { rut: '11111111-1', password: 'clave ñ&=%', company_rut: '70000002-8' };
const REQUEST = { scope: 'rcv', period: '2026-10', credentials: CREDENTIALS, metadata: {}, input: {} };
const FACADE = '/consdcvinternetui/services/data/facadeService';
const HEADER =
  'Nro;Rut cliente;Razon Social;Folio;Fecha Docto;Fecha Recepcion;Monto Exento;Monto Neto;Monto IVA;Monto total';

let server: FastifyInstance;
let url: string;
let form: Record<string, string>;
let calls: string[];
let appStatus: number;
let polls: number;

const detail = (folio: number) => ({
  detNroDoc: String(folio),
  detRutDoc: '70000003',
  detDvDoc: '6',
  detRznSoc: 'CLIENTE EJEMPLO LTDA',
  detFchDoc: '05/10/2026',
  detMntExe: null,
  detMntNeto: '100',
  detMntIVA: '19',
  detMntTotal: '119',
});
const total = (type: number, count: number) => ({
  rsmnTipoDocInteger: String(type),
  rsmnTotDoc: String(count),
  dcvTipoIngresoDoc: 'DET_ELE',
  rsmnLink: true,
});
const job = (id: number, blob: string, state: string) => ({
  caId: id,
  caIdBLOB: blob,
  caEstado: state,
  caProceso: 'proc_V_x',
  caPeriodo: 202610,
});

/** Small months direct, type 34 by file only; details of sales want `operacion: VENTA`. */
const dataOf = (method: string, data: Record<string, unknown>): unknown => {
  if (method === 'getResumen') return data.operacion === 'VENTA' ? [total(33, 2), total(34, 3)] : [];
  if (method === 'getDetalleVenta') {
    return data.operacion === 'VENTA' && data.codTipoDoc === '33' ? [detail(1), detail(2)] : [];
  }
  if (method !== 'getCtrlAsync') return undefined;
  const older = [job(1, 'OLD', 'TERMINADO'), { ...job(2, 'OTHER', 'TERMINADO'), caProceso: 'proc_C_x' }];
  if (polls === 0 && !data.generaCtrl) return older;
  polls++;
  // The new job is listed late, and its blob later than its state.
  if (polls < 3) return data.generaCtrl ? null : older;
  return [job(3, polls < 5 ? 'sin-blob' : 'NEW', polls < 4 ? 'EN PROCESO' : 'TERMINADO'), ...older];
};

beforeEach(async () => {
  [calls, appStatus, polls] = [[], 200, 0];
  server = fastify({ forceCloseConnections: true });
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  server.addHook('onRequest', async (request) => {
    calls.push(request.url.split('?')[0]!);
  });
  server.get('/AUT2000/InicioAutenticacion/IngresoRutClave.html', (_request, reply) =>
    reply.type('text/html').send('<form>'),
  );
  server.post('/cgi_AUT2000/CAutInicio.cgi', (request, reply) => {
    form = request.body as typeof form;
    return reply.redirect('https://misiir.sii.cl/cgi_misii/siihome.cgi', 302);
  });
  // The session comes at the second hop, and only under the other name.
  server.get('/cgi_misii/siihome.cgi', (_request, reply) =>
    reply.header('set-cookie', 'CSESSIONID=Q7WX2M9RT4KZB; domain=.sii.cl; path=/; secure').send('<html>'),
  );
  server.get('/cgi_AUT2000/autTermino.cgi', (_request, reply) => reply.send('<html>'));
  server.get('/consdcvinternetui/', (_request, reply) => reply.code(appStatus).type('text/html').send('<html>'));
  server.post(`${FACADE}/:method`, (request, reply) => {
    const { method } = request.params as { method: string };
    const { metaData, data } = request.body as { metaData: Record<string, unknown>; data: Record<string, unknown> };
    if (metaData.conversationId !== 'Q7WX2M9RT4KZB') return reply.send({ errorMsg: 'Acceso no autorizado!' });
    const respEstado = { codError: null, codRespuesta: method === 'getCtrlAsync' && data.generaCtrl ? '1' : '0' };
    return reply.type('text/plain').send(JSON.stringify({ respEstado, nuevo: 1, data: dataOf(method, data) }));
  });
  server.get(`${FACADE}/obtenerArchivoBLOB/NEW/11111111/70000002/3`, (_request, reply) => {
    const line = (n: number) => `${n};70.000.003-6;CLIENTE ÑUÑOA;${n + 10};05/10/2026;null;-;1.000;190;1.190`;
    const text = [HEADER.toUpperCase(), line(1), line(2), line(3)].join('\n');
    // Unpacked once by whoever believes the header, and read all the same.
    return reply.header('content-encoding', 'gzip').send(gzipSync(Buffer.from(text, 'latin1')));
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => server.close());

test('login, details and file of another server are read as well', async () => {
  const io = createIo(url, createClock());
  const session = await source.connect({ credentials: CREDENTIALS, metadata: {} }, io);
  expect(form).toMatchObject({ rut: '11111111', dv: '1', clave: CREDENTIALS.password, '411': '' });
  const { ask, kept, fetched } = createAsk();
  await source.pull(REQUEST, session, ask, io, () => {});
  await source.disconnect(session, io);
  expect(calls.at(-1)).toBe('/cgi_AUT2000/autTermino.cgi');
  expect(calls.filter((path) => path.endsWith('CAutInicio.cgi'))).toHaveLength(1);
  expect(fetched.slice(-4)).toEqual([
    'sales/REGISTRO/summary',
    'sales/REGISTRO/33',
    'sales/REGISTRO/34',
    'sales/REGISTRO/34/file',
  ]);
  const parsed = source.parse({ scope: 'rcv', period: '2026-10', credentials: CREDENTIALS }, [...kept.values()]);
  const rows = [...parsed].map((item) => ('row' in item ? (item.row.row as RcvRow) : undefined));
  expect(rows.map((row) => [row?.document_type, row?.folio, row?.net_amount])).toEqual([
    ['33', '1', '100'],
    ['33', '2', '100'],
    ['34', '11', '1000'],
    ['34', '12', '1000'],
    ['34', '13', '1000'],
  ]);
  expect(rows.at(-1)).toMatchObject({ receiver_name: 'CLIENTE ÑUÑOA', received_at: null, exempt_amount: '0' });
});

test('a login whose app does not start is left again', async () => {
  appStatus = 503;
  const failure = await source.connect({ credentials: CREDENTIALS, metadata: {} }, createIo(url)).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 'source.unavailable' });
  expect(calls.at(-1)).toBe('/cgi_AUT2000/autTermino.cgi');
});

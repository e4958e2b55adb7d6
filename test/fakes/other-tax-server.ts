/**
 * Another server that follows tax.md where it leaves freedom: neither the adapter nor the sandbox was written against
 * it. It knows one login and one company, whose month 2026-10 has five sales documents, three of them only by file.
 */
import { gzipSync } from 'node:zlib';
import fastify from 'fastify';

export const OTHER_CREDENTIALS = { rut: '11111111-1', password: 'clave ñ&=%', company_rut: '70000002-8' };
export const OTHER_PERIOD = '2026-10';
const TOKEN = 'Q7WX2M9RT4KZB';
const FACADE = '/consdcvinternetui/services/data/facadeService';
const HEADER =
  'Nro;Rut cliente;Razon Social;Folio;Fecha Docto;Fecha Recepcion;Monto Exento;Monto Neto;Monto IVA;Monto total';

export interface OtherTaxServer {
  url: string;
  /** Requested paths, in order. */
  calls: string[];
  /** Form fields of the last login. */
  form: Record<string, string>;
  /** HTTP status at the start of the register's app. */
  appStatus: number;
  close(): Promise<void>;
}

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
/** Total of `count` identical documents. */
const total = (type: number, count: number, net = 100, vat = 19) => ({
  rsmnTipoDocInteger: String(type),
  rsmnTotDoc: String(count),
  rsmnMntExe: '0',
  rsmnMntNeto: String(net * count),
  rsmnMntIVA: String(vat * count),
  rsmnMntTotal: String((net + vat) * count),
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

export const startOtherTaxServer = async (): Promise<OtherTaxServer> => {
  let polls = 0;
  const app = fastify({ forceCloseConnections: true });
  const other: OtherTaxServer = { url: '', calls: [], form: {}, appStatus: 200, close: () => app.close() };

  /** Small months come directly, type 34 only by file; details of sales need `operacion: VENTA`. */
  const dataOf = (method: string, data: Record<string, unknown>): unknown => {
    if (method === 'getResumen') return data.operacion === 'VENTA' ? [total(33, 2), total(34, 3, 1000, 190)] : [];
    if (method === 'getDetalleVenta') {
      return data.operacion === 'VENTA' && data.codTipoDoc === '33' ? [detail(1), detail(2)] : [];
    }
    if (method !== 'getCtrlAsync') return undefined;
    const older = [job(1, 'OLD', 'TERMINADO'), { ...job(2, 'OTHER', 'TERMINADO'), caProceso: 'proc_C_x' }];
    if (polls === 0 && !data.generaCtrl) return older;
    polls++;
    // The new job is listed late, and its blob appears later than its state.
    if (polls < 3) return data.generaCtrl ? null : older;
    return [job(3, polls < 5 ? 'sin-blob' : 'NEW', polls < 4 ? 'EN PROCESO' : 'TERMINADO'), ...older];
  };

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.addHook('onRequest', async (request) => {
    other.calls.push(request.url.split('?')[0]!);
  });
  app.get('/AUT2000/InicioAutenticacion/IngresoRutClave.html', (_request, reply) =>
    reply.type('text/html').send('<form>'),
  );
  app.post('/cgi_AUT2000/CAutInicio.cgi', (request, reply) => {
    other.form = request.body as Record<string, string>;
    return reply.redirect('https://misiir.sii.cl/cgi_misii/siihome.cgi', 302);
  });
  // The session comes with the second redirect, and only under the other name.
  app.get('/cgi_misii/siihome.cgi', (_request, reply) =>
    reply.header('set-cookie', `CSESSIONID=${TOKEN}; domain=.sii.cl; path=/; secure`).send('<html>'),
  );
  app.get('/cgi_AUT2000/autTermino.cgi', (_request, reply) => reply.send('<html>'));
  app.get('/consdcvinternetui/', (_request, reply) => reply.code(other.appStatus).type('text/html').send('<html>'));
  app.post(`${FACADE}/:method`, (request, reply) => {
    const { method } = request.params as { method: string };
    const { metaData, data } = request.body as { metaData: Record<string, unknown>; data: Record<string, unknown> };
    if (metaData.conversationId !== TOKEN) return reply.send({ errorMsg: 'Acceso no autorizado!' });
    const respEstado = { codError: null, codRespuesta: method === 'getCtrlAsync' && data.generaCtrl ? '1' : '0' };
    return reply.type('text/plain').send(JSON.stringify({ respEstado, nuevo: 1, data: dataOf(method, data) }));
  });
  app.get(`${FACADE}/obtenerArchivoBLOB/NEW/11111111/70000002/3`, (_request, reply) => {
    const line = (n: number) => `${n};70.000.003-6;CLIENTE ÑUÑOA;${n + 10};05/10/2026;null;-;1.000;190;1.190`;
    const text = [HEADER.toUpperCase(), line(1), line(2), line(3)].join('\n');
    // A client that follows the header decompresses it once, and the result is still readable.
    return reply.header('content-encoding', 'gzip').send(gzipSync(Buffer.from(text, 'latin1')));
  });
  other.url = await app.listen({ port: 0, host: '127.0.0.1' });
  return other;
};

/** What the facade refuses before it looks at the request's matter (tax.md §3.4, §11). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NAMESPACE } from '../wire.ts';
import { answer, BAD_TOKEN, type Envelope, EXPIRED_PAGE, INCOMPLETE, NOT_ACCEPTABLE, unknownField } from './answers.ts';
import { tokenOf } from './login-routes.ts';
import type { Session } from './sessions.ts';
import type { State } from './state.ts';

const SCOPE = ['rutEmisor', 'dvEmisor', 'ptributario', 'operacion', 'estadoContab', 'busquedaInicial'];
const DETAIL = [...SCOPE, 'codTipoDoc', 'accionRecaptcha', 'tokenRecaptcha'];

/** Keys each method knows inside `data`; any other is refused with HTTP 400. */
export const METHODS: Readonly<Record<string, readonly string[]>> = {
  getDatosInicio: [],
  getDcvEmpresasAutorizadas: SCOPE,
  getResumen: SCOPE,
  getResumenExport: SCOPE,
  getDetalleCompra: DETAIL,
  getDetalleVenta: DETAIL,
  getDetalleCompraExport: DETAIL,
  getDetalleVentaExport: DETAIL,
  getCtrlAsync: [...DETAIL, 'generaCtrl', 'totDoc'],
};

export interface Accepted {
  session: Session;
  envelope: Envelope;
  data: Record<string, unknown>;
}

/** Undefined when the reply was already given. */
export const acceptCall = (
  method: string,
  request: FastifyRequest,
  reply: FastifyReply,
  state: State,
): Accepted | undefined => {
  const refuse = (status: number, body: unknown, type = 'text/plain; charset=utf-8'): undefined => {
    void reply.code(status).type(type).send(body);
  };
  if (request.method !== 'POST') return refuse(405, 'Method Not Allowed');
  if ((request.headers.accept ?? '').trim() === 'application/json') return refuse(500, NOT_ACCEPTABLE);
  const session = state.sessions.find(tokenOf(request));
  if (!session) return refuse(401, EXPIRED_PAGE, 'text/html; charset=utf-8');
  const known = METHODS[method];
  if (!known) return refuse(404, 'Not Found');
  const body = request.body as { metaData?: Partial<Envelope>; data?: Record<string, unknown> } | undefined;
  const { namespace, conversationId, transactionId } = body?.metaData ?? {};
  if (namespace !== `${NAMESPACE}/${method}` || !conversationId || !transactionId || !body?.data) {
    return refuse(200, INCOMPLETE, 'application/json');
  }
  const envelope = { conversationId, transactionId, namespace };
  if (conversationId !== session.token) {
    return refuse(200, answer(envelope, { data: null }, 99, BAD_TOKEN), 'application/json');
  }
  const unknown = Object.keys(body.data).find((key) => !known.includes(key));
  if (unknown !== undefined) return refuse(400, unknownField(unknown));
  return { session, envelope, data: body.data };
};

/** Checks of a data app before it reads the content of the request (tax.md §3.4, §11). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerEnvelope, answer, EXPIRED_PAGE, INCOMPLETE, NOT_ACCEPTABLE, unknownField } from './answers.ts';
import type { SandboxApp } from './apps.ts';
import { readToken } from './login-routes.ts';
import type { Session } from './sessions.ts';
import type { State } from './state.ts';

export interface AcceptedFacadeCall {
  session: Session;
  envelope: AnswerEnvelope;
  data: Record<string, unknown>;
}

/** Returns the accepted call. Returns undefined after it has sent the reply itself. */
export const acceptCall = (
  app: SandboxApp,
  request: FastifyRequest,
  reply: FastifyReply,
  state: State,
): AcceptedFacadeCall | undefined => {
  const { method } = request.params as { method: string };
  const refuse = (status: number, body: unknown, type = 'text/plain; charset=utf-8'): undefined => {
    void reply.code(status).type(type).send(body);
  };
  if (request.method !== 'POST') return refuse(405, 'Method Not Allowed');
  if ((request.headers.accept ?? '').trim() === 'application/json') return refuse(500, NOT_ACCEPTABLE);
  const session = state.sessions.find(readToken(request));
  if (!session) return refuse(401, EXPIRED_PAGE, 'text/html; charset=utf-8');
  const known = app.methods[method];
  if (!known) return refuse(404, 'Not Found');
  const body = request.body as
    | { metaData?: Partial<AnswerEnvelope> & { page?: unknown }; data?: Record<string, unknown> }
    | undefined;
  const { namespace, conversationId, transactionId, page } = body?.metaData ?? {};
  const isNamed = namespace === `${app.namespace}/${method}`;
  if (!isNamed || !conversationId || !transactionId || !body?.data || (app.wantsPage && !page)) {
    return refuse(200, INCOMPLETE, 'application/json');
  }
  const envelope = { conversationId, transactionId, namespace };
  if (conversationId !== session.token) {
    return refuse(200, answer(envelope, app.badToken), 'application/json');
  }
  const unknown = Object.keys(body.data).find((key) => !known.includes(key));
  if (unknown !== undefined) return refuse(400, unknownField(unknown));
  return { session, envelope, data: body.data };
};

/** Checks before every route of the portal: session, pace, token, faults (banks.md §3.1, errors and limits). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HTML_TYPE, JSON_TYPE, pause, SLOW_MS, sendBody } from '../../sandbox-kit/answers.ts';
import { findWeekday } from '../../sandbox-kit/calendar.ts';
import { countUp } from '../../sandbox-kit/memory.ts';
import { cookieIn } from '../../sandbox-kit/server.ts';
import { type BankoneAnswer, disguised, refuse } from './answer.ts';
import { type DataFault, dataFault } from './behaviour.ts';
import { formatStamp } from './calendar.ts';
import { listCompanies } from './credentials.ts';
import { CHALLENGE_PAGE, FAULT_PAGE, LOGIN_PAGE } from './html-pages.ts';
import type { Session } from './sessions.ts';
import type { State } from './state.ts';

const XSRF_RENEWED_EVERY = 3;

export interface GatedRequest {
  session: Session;
  /** Fields of a POST body. */
  body: Record<string, unknown>;
  state: State;
}

export interface SandboxRoute {
  method: 'GET' | 'POST';
  path: string;
  /** True for calls that read money. Only these calls have faults. */
  isData: boolean;
  answer(asked: GatedRequest): BankoneAnswer;
}

export const findSession = (request: FastifyRequest, state: State): Session | undefined =>
  state.sessions.find(cookieIn(request, 'SESION'));

export const xsrfCookie = (session: Session): string =>
  `XSRF-TOKEN=${encodeURIComponent(session.xsrf)}; Path=/; Secure`;

const send = (reply: FastifyReply, { status, body }: BankoneAnswer): FastifyReply =>
  reply.code(status).type(JSON_TYPE).send(JSON.stringify(body));

/** Sends HTTP 503 with the announced end of maintenance, in the portal's time. */
export const maintenance = (reply: FastifyReply, untilMs: number): FastifyReply =>
  send(reply, {
    status: 503,
    body: { codigo: 'MANTENCION', mensaje: 'Estamos mejorando nuestro sitio', hasta: formatStamp(untilMs) },
  });

const HOUR_MS = 3_600_000;

/** True on Sunday from 00:00 to 01:00 in Santiago. */
export const isNight = (state: State): boolean => {
  if (!state.knobs.nightlyMaintenance) return false;
  const stamp = formatStamp(state.now());
  return findWeekday(state.today()) === 7 && stamp.slice(9) < '01:00:00';
};

export const nightEndsMs = (state: State): number => state.now() + HOUR_MS;

/** Sends one of the three answers by which the portal reports that a session has ended. */
const ended = (reply: FastifyReply, state: State, how?: 'json' | 'redirect' | 'page'): FastifyReply => {
  const { sessionEnd } = state.knobs;
  const way =
    how ??
    (sessionEnd === 'rotate'
      ? (['json', 'redirect', 'page'] as const)[(state.memory.next('sessionEnds') - 1) % 3]
      : sessionEnd);
  if (way === 'redirect') return reply.redirect('/mibanco/login', 302);
  if (way === 'page') return reply.type(HTML_TYPE).send(LOGIN_PAGE);
  return send(reply, refuse(401, 'SESION_FINALIZADA', 'Su sesión ha finalizado'));
};

const throttled = (reply: FastifyReply, state: State): FastifyReply =>
  send(
    reply.header('retry-after', String(state.knobs.retryAfterSeconds)),
    refuse(429, 'DEMASIADAS_SOLICITUDES', 'Intente más tarde'),
  );

const isTooFast = (session: Session, state: State): boolean => {
  const { requestsPerMinute } = state.knobs;
  if (requestsPerMinute === 0) return false;
  const nowMs = state.now();
  session.calls = session.calls.filter((at) => at > nowMs - 60_000);
  session.calls.push(nowMs);
  return session.calls.length > requestsPerMinute;
};

const xsrfRefused = (reply: FastifyReply, state: State, session: Session): FastifyReply => {
  state.sessions.renewXsrf(session);
  return send(reply.header('set-cookie', xsrfCookie(session)), refuse(403, 'XSRF', 'Token inválido'));
};

export const registerRoute = (app: FastifyInstance, state: State, route: SandboxRoute): void => {
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      if (isNight(state)) return maintenance(reply, nightEndsMs(state));
      const session = findSession(request, state);
      if (!session) return ended(reply, state);
      if (isTooFast(session, state)) return throttled(reply, state);
      if (session.isBusy) return send(reply, refuse(409, 'SESION_EN_USO', 'Otra operación está en curso'));
      if (route.method === 'POST' && request.headers['x-xsrf-token'] !== session.xsrf)
        return xsrfRefused(reply, state, session);
      const turn = ++session.turns;
      session.isBusy = true;
      const free = (): void => {
        if (session.turns === turn) session.isBusy = false;
      };
      // If a client disconnects, its call no longer counts as a call in progress.
      reply.raw.once('close', free);
      session.usedMs = state.now();
      try {
        if (state.knobs.latencyMs > 0) await pause(app, state.knobs.latencyMs);
        return await answered(app, { state, route, session }, request, reply);
      } finally {
        free();
      }
    },
  });
};

const answered = async (
  app: FastifyInstance,
  { state, route, session }: { state: State; route: SandboxRoute; session: Session },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const account = state.accounts.get(session.login)!;
  const call = route.isData ? countUp(state.dataCalls, session.login) : 0;
  const fault: DataFault = route.isData ? dataFault(account.behaviour, call, route.method) : 'none';
  switch (fault) {
    case 'throttle':
      return throttled(reply, state);
    case 'in_use':
      return send(reply, refuse(409, 'SESION_EN_USO'));
    case 'expire':
      state.sessions.close(session.token);
      return ended(reply, state, 'json');
    case 'redirect':
      state.sessions.close(session.token);
      return ended(reply, state, 'redirect');
    case 'page':
      return ended(reply, state, 'page');
    case 'xsrf':
      return xsrfRefused(reply, state, session);
    case 'edge':
      return reply.code(403).type(HTML_TYPE).send(CHALLENGE_PAGE);
    case 'error':
      return call % 2 === 1
        ? send(reply, refuse(500, 'INTERMITENCIA', 'Presentamos intermitencias'))
        : reply.code(500).type(HTML_TYPE).send(FAULT_PAGE);
    case 'deselect':
      session.company = listCompanies(session.login).find((company) => company !== session.company)!;
      break;
    case 'slow':
      await pause(app, SLOW_MS);
  }
  const { status, body } = route.answer({ session, body: (request.body ?? {}) as Record<string, unknown>, state });
  if (state.sessions.find(session.token) && session.turns % XSRF_RENEWED_EVERY === 0) {
    state.sessions.renewXsrf(session);
    reply.header('set-cookie', xsrfCookie(session));
  }
  const text = JSON.stringify(status === 200 ? disguised(body, account.behaviour) : body);
  return sendBody(reply.code(status), JSON_TYPE, text, fault);
};

/** Login, second factor and logout (banks.md §3.1). */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { normalizeRut } from '#shared/values/rut.ts';
import { HTML_TYPE } from '../../sandbox-kit/answers.ts';
import { answerLoginWithLie } from '../../sandbox-kit/lies.ts';
import { countUp, keepNewest } from '../../sandbox-kit/memory.ts';
import type { Behaviour } from './behaviour.ts';
import { listCompanies } from './credentials.ts';
import { findSession, isNight, maintenance, nightEndsMs, xsrfCookie } from './gate.ts';
import { LOGIN_PAGE, UNKNOWN_PAGE } from './html-pages.ts';
import type { State } from './state.ts';

const LOCKED_AFTER = 3;
const CODE = '123456';
const CODE_TRIES = 3;
/** The poll with this number approves a challenge. */
const APPROVED_AT = 2;
const CHALLENGE_SECONDS = 180;
const CHALLENGES_MAX = 200;
/**
 * Time from a call to the announced end of maintenance. Each call announces a new end, so the maintenance never ends.
 */
const MAINTENANCE_MS = 2_000;

const refuse = (reply: FastifyReply, status: number, codigo: string, more: object = {}) =>
  reply.code(status).send({ codigo, mensaje: 'Operación rechazada', ...more });

const KINDS: Record<string, 'PUSH' | 'CODIGO'> = {
  two_factor_approved: 'PUSH',
  two_factor_refused: 'PUSH',
  two_factor_timeout: 'PUSH',
  two_factor_expires: 'PUSH',
  two_factor_asked: 'CODIGO',
};

const logIn = (reply: FastifyReply, state: State, login: string): FastifyReply => {
  const session = state.sessions.open(login, listCompanies(login)[0]);
  state.failures.delete(login);
  return reply.header('set-cookie', [`SESION=${session.token}; Path=/mibanco; HttpOnly; Secure`, xsrfCookie(session)]);
};

const judgeLogin = (reply: FastifyReply, state: State, login: string, clave: string): FastifyReply => {
  countUp(state.logins, login);
  if (isNight(state)) return maintenance(reply, nightEndsMs(state));
  const account = state.accounts.get(login);
  const behaviour = account?.behaviour;
  const lie = answerLoginWithLie(reply, behaviour);
  if (lie) return lie;
  if (behaviour === 'maintenance') return maintenance(reply, state.now() + MAINTENANCE_MS);
  if (behaviour === 'locked' || (state.failures.get(login) ?? 0) >= LOCKED_AFTER)
    return refuse(reply, 423, 'USUARIO_BLOQUEADO');
  if (behaviour === 'login_unknown') return reply.type(HTML_TYPE).send(UNKNOWN_PAGE);
  // For this credential every password is wrong, and no wrong password locks the user, because the sandbox is used many
  // times.
  if (behaviour === 'wrong_password') return refuse(reply, 401, 'CLAVE_INCORRECTA', { intentosRestantes: 2 });
  if (account?.credentials.password !== clave) {
    const failures = countUp(state.failures, login);
    return refuse(reply, 401, 'CLAVE_INCORRECTA', { intentosRestantes: Math.max(0, LOCKED_AFTER - failures) });
  }
  return admit(reply, state, login, account.behaviour);
};

const admit = (reply: FastifyReply, state: State, login: string, behaviour: Behaviour): FastifyReply => {
  const kind = KINDS[behaviour];
  if (kind === undefined) return logIn(reply, state, login).send({ estado: 'OK' });
  const id = `d-${state.logins.get(login)}-${login.slice(0, 8)}`;
  keepNewest(state.challenges, id, { login, asked: 0 }, CHALLENGES_MAX);
  return reply.send({ estado: 'DESAFIO', desafio: { id, tipo: kind, expiraSegundos: CHALLENGE_SECONDS } });
};

export const registerLoginRoutes = (app: FastifyInstance, state: State): void => {
  app.get('/mibanco/login', (_request, reply) => reply.type(HTML_TYPE).send(LOGIN_PAGE));

  app.post('/mibanco/login/autenticar', (request, reply) => {
    const { rutUsuario, clave } = (request.body ?? {}) as Record<string, unknown>;
    if (typeof rutUsuario !== 'string' || !/^\d{9}[\dK]$/.test(rutUsuario) || typeof clave !== 'string')
      return refuse(reply, 400, 'SOLICITUD_INVALIDA');
    return judgeLogin(reply, state, normalizeRut(rutUsuario) ?? '', clave);
  });

  app.get('/mibanco/login/desafio/:id', (request, reply) => {
    const { id } = request.params as { id: string };
    const challenge = state.challenges.get(id);
    if (!challenge) return refuse(reply, 404, 'DESAFIO_NO_ENCONTRADO');
    challenge.asked++;
    const behaviour = state.accounts.get(challenge.login)?.behaviour;
    if (behaviour === 'two_factor_refused') return reply.send({ estado: 'RECHAZADO' });
    if (challenge.asked < APPROVED_AT || behaviour === 'two_factor_timeout') return reply.send({ estado: 'PENDIENTE' });
    if (behaviour === 'two_factor_expires') return reply.send({ estado: 'EXPIRADO' });
    if (behaviour !== 'two_factor_approved') return reply.send({ estado: 'PENDIENTE' });
    state.challenges.delete(id);
    return logIn(reply, state, challenge.login).send({ estado: 'APROBADO' });
  });

  app.post('/mibanco/login/desafio/:id', (request, reply) => {
    const { id } = request.params as { id: string };
    const challenge = state.challenges.get(id);
    if (!challenge || challenge.asked >= CODE_TRIES) return refuse(reply, 404, 'DESAFIO_NO_ENCONTRADO');
    challenge.asked++;
    if ((request.body as Record<string, unknown> | null)?.codigo !== CODE)
      return refuse(reply, 401, 'CODIGO_INCORRECTO');
    state.challenges.delete(id);
    return logIn(reply, state, challenge.login).send({ estado: 'APROBADO' });
  });

  app.post('/mibanco/login/salir', (request, reply) => {
    const session = findSession(request, state);
    if (session && request.headers['x-xsrf-token'] !== session.xsrf) {
      state.sessions.renewXsrf(session);
      return refuse(reply.header('set-cookie', xsrfCookie(session)), 403, 'XSRF');
    }
    if (session) state.sessions.close(session.token);
    return reply.code(204).send();
  });
};

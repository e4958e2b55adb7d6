/** Login and logout (banks.md §3.3): a refusal is visible only in the text of the page, not in the status. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { normalizeRut } from '#shared/values/rut.ts';
import { answerLoginWithLie } from '../../sandbox-kit/lies.ts';
import { countUp } from '../../sandbox-kit/memory.ts';
import type { Behaviour } from './behaviour.ts';
import { isNight } from './calendar.ts';
import * as pages from './pages.ts';
import { readFormFields, readToken, sendPage } from './replies.ts';
import type { State } from './state.ts';

const REFUSALS: Partial<Record<Behaviour, readonly [html: string, status: number]>> = {
  wrong_password: [pages.WRONG_PASSWORD, 200],
  locked: [pages.LOCKED, 200],
  password_expired: [pages.PASSWORD_EXPIRED, 200],
  maintenance: [pages.MAINTENANCE, 200],
  login_blocked: [pages.BLOCKED, 403],
  login_error: [pages.FAULT, 500],
  login_unknown: [pages.UNKNOWN, 200],
};

const cookie = (token: string): string => `ASPSESSIONID=${token}; path=/`;

export const registerLoginRoutes = (app: FastifyInstance, state: State): void => {
  app.get('/empresas/login.asp', (_request, reply) =>
    sendPage(reply.header('set-cookie', cookie(state.sessions.anonymous())), pages.LOGIN_FORM),
  );
  app.post('/empresas/login.asp', (request, reply) => logIn(request, reply, state));
  app.get('/empresas/inicio.asp', (request, reply) =>
    sendPage(reply, state.sessions.find(readToken(request)) ? pages.HOME : pages.LOGIN_FORM),
  );
  app.get('/empresas/salir.asp', (request, reply) => {
    state.sessions.close(readToken(request));
    return sendPage(reply, pages.BYE);
  });
};

/** Returns the RUT of a form, which has digits and check digit in two fields; undefined for an invalid RUT. */
export const rutIn = ({ rut = '', dv = '' }: Record<string, string>): string | undefined =>
  /^\d{1,9}$/.test(rut) && /^[\dK]$/i.test(dv) ? normalizeRut(`${rut}${dv}`) : undefined;

const logIn = (request: FastifyRequest, reply: FastifyReply, state: State): FastifyReply => {
  const { rut = '', dv = '', clave } = readFormFields(request);
  const who = rutIn({ rut, dv });
  if (who !== undefined) countUp(state.logins, who);
  if (state.knobs.nightlyMaintenance && isNight(state.now())) return sendPage(reply, pages.MAINTENANCE);
  const entry = who === undefined ? undefined : state.entries.get(who);
  const { lockAfter } = state.knobs;
  if (who !== undefined && lockAfter > 0 && (state.wrong.get(who) ?? 0) >= lockAfter) {
    return sendPage(reply, pages.LOCKED);
  }
  const lie = answerLoginWithLie(reply, entry?.behaviour);
  if (lie) return lie;
  const refusal = entry && REFUSALS[entry.behaviour];
  const isWrong = !entry || clave !== entry.credentials.password || entry.behaviour === 'wrong_password';
  // An error of a system in front of the portal is sent before the clave is checked.
  if (refusal && entry.behaviour !== 'wrong_password') return sendPage(reply, ...refusal);
  // Pages before the login also set a cookie, which is not a session.
  void reply.header('set-cookie', cookie(state.sessions.anonymous()));
  if (isWrong) {
    if (who !== undefined) countUp(state.wrong, who);
    return sendPage(reply, pages.WRONG_PASSWORD);
  }
  state.wrong.delete(who!);
  const { token } = state.sessions.open(who!);
  return reply.removeHeader('set-cookie').header('set-cookie', cookie(token)).redirect('/empresas/inicio.asp', 302);
};

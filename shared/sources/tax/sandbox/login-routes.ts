/** Login, logout and the start of the app (tax.md §2). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { normalizeRut, splitRut } from '#shared/values/rut.ts';
import { HTML_TYPE } from '../../sandbox-kit/answers.ts';
import { answerLoginWithLie } from '../../sandbox-kit/lies.ts';
import { countUp } from '../../sandbox-kit/memory.ts';
import { cookieIn } from '../../sandbox-kit/server.ts';
import { EXPIRED_PAGE } from './answers.ts';
import type { TaxCredential } from './credentials.ts';
import * as pages from './login-pages.ts';
import { countStartCall, type Session } from './sessions.ts';
import type { State } from './state.ts';

const html = (reply: FastifyReply, body: string, status = 200) => reply.code(status).type(HTML_TYPE).send(body);

export const readToken = (request: FastifyRequest): string | undefined =>
  cookieIn(request, '(?:TOKEN|CSESSIONID)') || undefined;

type LoginForm = Record<string, string>;

/** Returns the RUT that logs in with this form. */
export const rutIn = (form: LoginForm | undefined): string | undefined =>
  normalizeRut(`${form?.rut ?? ''}-${form?.dv ?? ''}`);

export const registerLoginRoutes = (app: FastifyInstance, state: State): void => {
  const attributes = () => state.knobs.cookieAttributes;

  app.get('/AUT2000/InicioAutenticacion/IngresoRutClave.html', (_request, reply) =>
    html(reply.header('set-cookie', [`TS01a2b3=balancer; ${attributes()}`]), pages.LOGIN_PAGE),
  );
  app.get('/ayudas/900.html', (_request, reply) => html(reply, pages.MAINTENANCE));
  app.get('/cgi_misii/siihome.cgi', (request, reply) => {
    const session = state.sessions.find(readToken(request));
    if (session) session.hasLanded = true;
    return html(reply, pages.APP_PAGE);
  });
  for (const name of ['consdcvinternetui', 'consemitidosinternetui', 'complementoscvui'])
    app.get(`/${name}/`, (_request, reply) => html(reply, pages.APP_PAGE));

  app.post('/cgi_AUT2000/CAutInicio.cgi', (request, reply) => {
    const form = request.body as LoginForm | undefined;
    const rut = rutIn(form) ?? '';
    countUp(state.logins, rut);
    const account = state.accounts.get(rut);
    const lie = answerLoginWithLie(reply, account?.behaviour);
    if (lie) return lie;
    if (account?.behaviour === 'maintenance') return reply.redirect('/ayudas/900.html', 302);
    const refusal = refusalPage(account, form);
    if (refusal !== undefined) return html(reply, refusal);
    // A session cookie that is sent with the login also counts against the session cap (§2.4).
    const session = state.sessions.open(rut, state.knobs.sessionCap, readToken(request) === undefined ? 0 : 1);
    if (!session) return html(reply, pages.SESSION_CAP);
    reply.header('set-cookie', sessionCookies(session, attributes()));
    const target = form?.referencia ?? '/cgi_misii/siihome.cgi';
    return state.knobs.loginRedirects ? reply.redirect(target, 302) : html(reply, pages.landing(target));
  });

  app.get('/cgi_AUT2000/autTermino.cgi', (request, reply) => {
    state.sessions.close(readToken(request));
    return reply.redirect('https://www.sii.cl/', 302);
  });

  const bySession = (request: FastifyRequest, reply: FastifyReply, answer: (session: Session) => unknown) => {
    const session = state.sessions.find(readToken(request));
    return session ? answer(session) : html(reply, EXPIRED_PAGE, 401);
  };
  const onStartCall =
    (name: string, answer: (session: Session) => object) => (request: FastifyRequest, reply: FastifyReply) =>
      bySession(request, reply, (session) => {
        countStartCall(session, name);
        return reply.send(answer(session));
      });
  app.post(
    '/common-1.0/services/autConfDataService/obtieneConf',
    onStartCall('obtieneConf', () => ({ ambiente: 'PRODUCCION' })),
  );
  app.get(
    '/common-1.0/services/aaSessionService/load',
    onStartCall('load', ({ login }) => {
      const { body, checkDigit } = splitRut(login);
      return { rut: body, dv: checkDigit };
    }),
  );
  app.post(
    '/consdcvinternetui/services/data/settingsService/consultarParametros',
    onStartCall('consultarParametros', () => ({ data: [], respEstado: { codRespuesta: 0 } })),
  );
  app.get('/cgi_AUT2000/AutTknData.cgi', (request, reply) =>
    bySession(request, reply, (session) => {
      session.isAppStarted = true;
      const { callback = 'callback' } = request.query as { callback?: string };
      return reply.type('text/javascript').send(`${callback.replaceAll(/\W/g, '')}({"estado":"OK"});`);
    }),
  );
};

/** Returns the page of a refused login; undefined if the login is accepted. */
const refusalPage = (account: TaxCredential | undefined, form: LoginForm | undefined): string | undefined => {
  const known = Object.entries(pages.REFUSAL_PAGES).find(([behaviour]) => behaviour === account?.behaviour);
  if (known) return known[1];
  const isRight = account && account.behaviour !== 'wrong_password' && account.credentials.password === form?.clave;
  return isRight ? undefined : pages.WRONG_PASSWORD;
};

/** Returns the cookies of a session. TOKEN and CSESSIONID have the same value (§2.2). */
const sessionCookies = (session: Session, attributes: string): string[] => {
  const { body, checkDigit } = splitRut(session.login);
  const cookies = { TOKEN: session.token, CSESSIONID: session.token, RUT_NS: body, DV_NS: checkDigit };
  return Object.entries(cookies).map(([name, value]) => `${name}=${value}; ${attributes}`);
};

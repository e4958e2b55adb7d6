/** The simulated bank three: an HTTP server on loopback that speaks the wire of banks.md §3.3, and never anything else. */
import fastify from 'fastify';
import { cookieIn, listening, type SandboxServer } from '../../sandbox-kit/server.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { registerControlRoutes } from './control-routes.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { registerLoginRoutes, rutIn } from './login-routes.ts';
import { UNKNOWN } from './pages.ts';
import { FORM_TYPE, parseForm, pause, sendPage } from './replies.ts';
import { loginOfToken } from './sessions.ts';
import { type BankthreeSandboxOptions, createState } from './state.ts';

export interface BankthreeSandbox extends SandboxServer {
  ledger(login: string, period?: string): Ledger;
  /** Login posts of a RUT so far. */
  logins(login: string): number;
  openSessions(login: string): number;
}

export const createBankthreeSandbox = (options: BankthreeSandboxOptions = {}): BankthreeSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true });
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, parseForm((body as Buffer).toString('latin1'))),
  );
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    payload.on('end', () => done(null, {}));
  });
  app.setNotFoundHandler((_request, reply) => sendPage(reply, UNKNOWN, 404));
  app.addHook('onRequest', async (request) => {
    const isOwnDoor = request.url.startsWith('/_sandbox/');
    if (state.knobs.latencyMs > 0 && !isOwnDoor) await pause(app, state.knobs.latencyMs);
  });
  registerLoginRoutes(app, state);
  registerAccountRoutes(app, state);
  if (options.hasDoors ?? true) registerControlRoutes(app, state);
  return {
    ...listening(app),
    ownerOf: (request) => {
      const login = rutIn(parseForm(request.body)) ?? loginOfToken(cookieIn(request, 'ASPSESSIONID'));
      return login !== undefined && state.entries.has(login) ? login : undefined;
    },
    ledger: (login, period) => ledgerOf(state, login, period),
    logins: (login) => state.logins.get(login) ?? 0,
    openSessions: (login) => state.sessions.count(login),
  };
};

/** The simulated tax authority: an HTTP server on loopback that speaks the wire of tax.md, and never anything else. */
import fastify from 'fastify';
import { registerGate } from '../../sandbox-kit/gate.ts';
import { cookieIn, listening, type SandboxRequest, type SandboxServer } from '../../sandbox-kit/server.ts';
import { registerControlRoutes } from './control-routes.ts';
import { pause, registerFacadeRoutes } from './facade-routes.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { registerLoginRoutes, rutIn } from './login-routes.ts';
import { loginOfToken } from './session-token.ts';
import { createState, type TaxSandboxOptions } from './state.ts';

export interface TaxSandbox extends SandboxServer {
  ledger(login: string, period?: string): Ledger;
  /** Login posts of a RUT so far. */
  logins(login: string): number;
  openSessions(login: string): number;
}

const tokenIn = (request: SandboxRequest): string => cookieIn(request, 'TOKEN') || cookieIn(request, 'CSESSIONID');

export const createTaxSandbox = (options: TaxSandboxOptions = {}): TaxSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.addHook('onRequest', async (request) => {
    const isOwnDoor = request.url.startsWith('/_sandbox/');
    if (state.knobs.latencyMs > 0 && !isOwnDoor) await pause(app, state.knobs.latencyMs);
  });
  if (options.hasDoors ?? true) registerGate(app);
  registerLoginRoutes(app, state);
  registerFacadeRoutes(app, state);
  if (options.hasDoors ?? true) registerControlRoutes(app, state);

  return {
    ...listening(app),
    ownerOf: (request) => {
      const login = rutIn(Object.fromEntries(new URLSearchParams(request.body))) ?? loginOfToken(tokenIn(request));
      return state.accounts.has(login) ? login : undefined;
    },
    ledger: (login, period) => ledgerOf(state, login, period),
    logins: (login) => state.logins.get(login) ?? 0,
    openSessions: (login) => state.sessions.count(login),
  };
};

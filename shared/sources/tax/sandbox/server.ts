/** The simulated tax authority: an HTTP server on loopback that speaks the wire of tax.md, and never anything else. */
import fastify from 'fastify';
import { registerControlRoutes } from './control-routes.ts';
import { pause, registerFacadeRoutes } from './facade-routes.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { registerLoginRoutes } from './login-routes.ts';
import { createState, type TaxSandboxOptions } from './state.ts';

export interface TaxSandbox {
  /** Port 0 = any free one. Gives the base URL to be put into the source's settings. */
  listen(port: number): Promise<string>;
  close(): Promise<void>;
  ledger(login: string, period?: string): Ledger;
  /** Login posts of a RUT so far. */
  logins(login: string): number;
  openSessions(login: string): number;
}

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
  registerLoginRoutes(app, state);
  registerFacadeRoutes(app, state);
  registerControlRoutes(app, state);

  return {
    listen: (port) => app.listen({ port, host: '127.0.0.1' }),
    close: () => app.close(),
    ledger: (login, period) => ledgerOf(state, login, period),
    logins: (login) => state.logins.get(login) ?? 0,
    openSessions: (login) => state.sessions.count(login),
  };
};

/** The simulated portal: an HTTP server on loopback that speaks the two wires of procurement.md, and nothing else. */
import fastify from 'fastify';
import { registerApiRoutes } from './api-routes.ts';
import { registerControlRoutes } from './control-routes.ts';
import { pause } from './faults.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { createState, type ProcurementSandboxOptions } from './state.ts';
import { registerWebRoutes } from './web-routes.ts';

export interface ProcurementSandbox {
  /** Port 0 = any free one. Gives the base URL to be put into the source's settings. */
  listen(port: number): Promise<string>;
  close(): Promise<void>;
  /** Of the tenders in the ticket's metadata. */
  ledger(login: string): Ledger;
  /** API calls of a ticket so far. */
  logins(login: string): number;
}

export const createProcurementSandbox = (options: ProcurementSandboxOptions = {}): ProcurementSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true, routerOptions: { caseSensitive: false } });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.addHook('onRequest', async (request) => {
    const isOwnDoor = request.url.startsWith('/_sandbox/');
    if (state.knobs.latencyMs > 0 && !isOwnDoor) await pause(app, state.knobs.latencyMs);
  });
  registerApiRoutes(app, state);
  registerWebRoutes(app, state);
  registerControlRoutes(app, state);
  return {
    listen: (port) => app.listen({ port, host: '127.0.0.1' }),
    close: () => app.close(),
    ledger: (login) => ledgerOf(state, login),
    logins: (login) => state.apiCalls.get(login) ?? 0,
  };
};

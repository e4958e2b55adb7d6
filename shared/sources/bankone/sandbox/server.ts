/** The simulated bank: an HTTP server on loopback that speaks the wire of banks.md §3.1, and never anything else. */
import fastify from 'fastify';
import { BATCH_ROUTES } from './batch-routes.ts';
import { COMPANY_ROUTES } from './company-routes.ts';
import { companyBy, registerControlRoutes } from './control-routes.ts';
import { registerRoute } from './gate.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { registerLoginRoutes } from './login-routes.ts';
import { type BankoneSandboxOptions, createState } from './state.ts';
import { STATEMENT_ROUTES } from './statement-routes.ts';
import { TRANSFER_ROUTES } from './transfer-routes.ts';

export interface BankoneSandbox {
  /** Port 0 = any free one. Gives the base URL to be put into the source's settings. */
  listen(port: number): Promise<string>;
  close(): Promise<void>;
  ledger(login: string, period?: string): Ledger;
  /** Login posts of a RUT so far. */
  logins(login: string): number;
  openSessions(login: string): number;
}

export const createBankoneSandbox = (options: BankoneSandboxOptions = {}): BankoneSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true });
  registerLoginRoutes(app, state);
  for (const route of [...COMPANY_ROUTES, ...STATEMENT_ROUTES, ...TRANSFER_ROUTES, ...BATCH_ROUTES])
    registerRoute(app, state, route);
  registerControlRoutes(app, state);
  return {
    listen: (port) => app.listen({ port, host: '127.0.0.1' }),
    close: () => app.close(),
    ledger: (login, period) => ledgerOf(state, companyBy(state, login), period),
    logins: (login) => state.logins.get(login) ?? 0,
    openSessions: (login) => state.sessions.count(login),
  };
};

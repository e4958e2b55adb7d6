/** The simulated bank: an HTTP server on loopback that speaks only the wire of banks.md §3.1. */
import fastify from 'fastify';
import { normalizeRut } from '#shared/values/rut.ts';
import {
  cookieIn,
  type Institution,
  type SandboxOptions,
  type SandboxRequest,
  serveInstitution,
} from '../../sandbox-kit/server.ts';
import { BATCH_ROUTES } from './batch-routes.ts';
import { COMPANY_ROUTES } from './company-routes.ts';
import { companyBy, defineDoors } from './doors.ts';
import { registerRoute } from './gate.ts';
import { buildLedger, type Ledger } from './ledger.ts';
import { registerLoginRoutes } from './login-routes.ts';
import { loginOfToken } from './sessions.ts';
import { createState, type Knobs, type State } from './state.ts';
import { STATEMENT_ROUTES } from './statement-routes.ts';
import { TRANSFER_ROUTES } from './transfer-routes.ts';

export type BankoneSandbox = Institution<Ledger>;

/**
 * Returns the login of a request: from the posted body, or else from the id of a challenge, or else from the session.
 */
const ownerOf = (request: SandboxRequest, { accounts }: State): string | undefined => {
  const posted = /"rutUsuario"\s*:\s*"(\w+)"/.exec(request.body)?.[1];
  if (posted !== undefined) return [normalizeRut(posted) ?? ''].find((login) => accounts.has(login));
  const begins = /^\/mibanco\/login\/desafio\/d-\d+-(\d+)$/.exec(request.url)?.[1];
  if (begins !== undefined) return [...accounts.keys()].find((login) => login.startsWith(begins));
  return [loginOfToken(cookieIn(request, 'SESION'))].find((login) => accounts.has(login));
};

export const createBankoneSandbox = (options: SandboxOptions<Knobs> = {}): BankoneSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true });
  registerLoginRoutes(app, state);
  for (const route of [...COMPANY_ROUTES, ...STATEMENT_ROUTES, ...TRANSFER_ROUTES, ...BATCH_ROUTES])
    registerRoute(app, state, route);
  return serveInstitution(
    app,
    options,
    {
      ownerOf: (request) => ownerOf(request, state),
      ledger: (login, period) => buildLedger(state, companyBy(state, login), period),
      logins: (login) => state.logins.get(login) ?? 0,
      openSessions: state.sessions.count,
    },
    defineDoors(state),
  );
};

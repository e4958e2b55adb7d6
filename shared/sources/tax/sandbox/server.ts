/** The simulated tax authority: an HTTP server on loopback that speaks only the wire of tax.md. */
import fastify from 'fastify';
import { registerGate } from '../../sandbox-kit/gate.ts';
import {
  cookieIn,
  delayAnswers,
  type Institution,
  readForms,
  type SandboxOptions,
  serveInstitution,
} from '../../sandbox-kit/server.ts';
import { defineDoors } from './doors.ts';
import { registerFacadeRoutes } from './facade-routes.ts';
import { buildLedger, type Ledger } from './ledger.ts';
import { registerLoginRoutes, rutIn } from './login-routes.ts';
import { loginOfToken } from './session-token.ts';
import { createState, type Knobs } from './state.ts';

export type TaxSandbox = Institution<Ledger>;

export const createTaxSandbox = (options: SandboxOptions<Knobs> = {}): TaxSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true });
  readForms(app);
  delayAnswers(app, state.knobs);
  if (options.hasDoors ?? true) registerGate(app);
  registerLoginRoutes(app, state);
  registerFacadeRoutes(app, state);
  return serveInstitution(
    app,
    options,
    {
      ownerOf: (request) => {
        const token = cookieIn(request, 'TOKEN') || cookieIn(request, 'CSESSIONID');
        const login = rutIn(Object.fromEntries(new URLSearchParams(request.body))) ?? loginOfToken(token);
        return state.accounts.has(login) ? login : undefined;
      },
      ledger: (login, period) => buildLedger(state, login, period),
      logins: (login) => state.logins.get(login) ?? 0,
      openSessions: state.sessions.count,
    },
    defineDoors(state),
  );
};

/** The simulated portal: an HTTP server on loopback that speaks only the two wires of procurement.md. */
import fastify from 'fastify';
import {
  delayAnswers,
  type Institution,
  readForms,
  type SandboxOptions,
  type SandboxRequest,
  serveInstitution,
} from '../../sandbox-kit/server.ts';
import { registerApiRoutes } from './api-routes.ts';
import { defineDoors } from './doors.ts';
import { buildLedger, type Ledger } from './ledger.ts';
import { createState, type Knobs, type State } from './state.ts';
import { tokenIn } from './tokens.ts';
import { registerWebRoutes } from './web-routes.ts';

/** A login is a ticket. Its ledger covers the tenders in the metadata of the ticket. */
export type ProcurementSandbox = Institution<Ledger>;

/**
 * Returns the unit of a request, found by the ticket, the tender's code or a token; undefined if none of these leads to
 * a unit.
 */
const ownerOf = (request: SandboxRequest, { byTicket, byUnit, tokens }: State): string | undefined => {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  const viewState = new URLSearchParams(request.body).get('__VIEWSTATE') ?? '';
  const token =
    tokens.findState(viewState) ?? tokens.find(tokenIn(request, 'enc')) ?? tokens.find(tokenIn(request, 'qs'));
  const codigo = token?.codigo || (query.get('idlicitacion') ?? query.get('RFBCode') ?? '');
  const unit = byTicket.get(query.get('ticket') ?? '')?.unit ?? Number(codigo.split('-')[0]);
  return byUnit.has(unit) ? String(unit) : undefined;
};

export const createProcurementSandbox = (options: SandboxOptions<Knobs> = {}): ProcurementSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true, routerOptions: { caseSensitive: false } });
  readForms(app);
  delayAnswers(app, state.knobs);
  registerApiRoutes(app, state);
  registerWebRoutes(app, state);
  return serveInstitution(
    app,
    options,
    {
      ownerOf: (request) => ownerOf(request, state),
      ledger: (login) => buildLedger(state, login),
      logins: (login) => state.apiCalls.get(login) ?? 0,
      // This wire has no login.
      openSessions: () => 0,
    },
    defineDoors(state),
  );
};

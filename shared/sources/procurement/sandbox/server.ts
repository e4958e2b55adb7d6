/** The simulated portal: an HTTP server on loopback that speaks the two wires of procurement.md, and nothing else. */
import fastify from 'fastify';
import { listening, type SandboxRequest, type SandboxServer } from '../../sandbox-kit/server.ts';
import { registerApiRoutes } from './api-routes.ts';
import { registerControlRoutes } from './control-routes.ts';
import { pause } from './faults.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { createState, type ProcurementSandboxOptions, type State } from './state.ts';
import { registerWebRoutes, tokenIn } from './web-routes.ts';

export interface ProcurementSandbox extends SandboxServer {
  /** Of the tenders in the ticket's metadata. */
  ledger(login: string): Ledger;
  /** API calls of a ticket so far. */
  logins(login: string): number;
}

/** The ticket's unit: as the ticket, the tender's code or a token tells. Anonymous pages remember nothing else. */
const ownerOf = (request: SandboxRequest, { byTicket, byUnit, tokens }: State): string | undefined => {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  const viewState = new URLSearchParams(request.body).get('__VIEWSTATE') ?? '';
  const token =
    tokens.findState(viewState) ?? tokens.find(tokenIn(request, 'enc')) ?? tokens.find(tokenIn(request, 'qs'));
  const codigo = token?.codigo || (query.get('idlicitacion') ?? query.get('RFBCode') ?? '');
  const unit = byTicket.get(query.get('ticket') ?? '')?.unit ?? Number(codigo.split('-')[0]);
  return byUnit.has(unit) ? String(unit) : undefined;
};

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
  if (options.hasDoors ?? true) registerControlRoutes(app, state);
  return {
    ...listening(app),
    ownerOf: (request) => ownerOf(request, state),
    ledger: (login) => ledgerOf(state, login),
    logins: (login) => state.apiCalls.get(login) ?? 0,
  };
};

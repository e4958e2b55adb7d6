/** The simulated bank: an HTTP server on loopback that speaks the wire of banks.md §3.2, and never anything else. */
import fastify, { type FastifyRequest } from 'fastify';
import { listening, type SandboxServer } from '../../sandbox-kit/server.ts';
import { pause, registerApiRoutes } from './api-routes.ts';
import { registerControlRoutes } from './control-routes.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { refuse } from './refusals.ts';
import { type BanktwoSandboxOptions, createState } from './state.ts';
import { basicOf, registerTokenRoutes } from './token-routes.ts';

export interface BanktwoSandbox extends SandboxServer {
  /** By client id. */
  ledger(login: string, period?: string): Ledger;
  /** Token calls of a client so far. */
  logins(login: string): number;
  /** Tokens of a client that are still good. */
  openSessions(login: string): number;
}

export const createBanktwoSandbox = (options: BanktwoSandboxOptions = {}): BanktwoSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  const clientOf = (request: FastifyRequest) => String(request.headers['x-client-id'] ?? '');
  const change = (id: string, by: number) => state.inFlight.set(id, (state.inFlight.get(id) ?? 0) + by);
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/_sandbox/')) return;
    const id = clientOf(request);
    change(id, 1);
    reply.raw.once('close', () => change(id, -1));
    if (state.knobs.latencyMs > 0) await pause(app, state.knobs.latencyMs);
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'NOT_FOUND', 'Recurso no encontrado'));
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
    (error.statusCode ?? 500) < 500
      ? refuse(reply, 400, 'VALIDATION', 'Cuerpo inválido')
      : refuse(reply, 500, 'UPSTREAM', 'Error = 500'),
  );
  registerTokenRoutes(app, state);
  registerApiRoutes(app, state);
  if (options.hasDoors ?? true) registerControlRoutes(app, state);

  return {
    ...listening(app),
    ownerOf: ({ headers }) => {
      const id = String(headers['x-client-id'] ?? basicOf(String(headers.authorization ?? '')).id);
      return state.clients.has(id) ? id : undefined;
    },
    ledger: (login, period) => {
      const client = state.clients.get(login);
      if (!client) throw new Error(`no client "${login}"`);
      return ledgerOf(state, client, period);
    },
    logins: (login) => state.logins.get(login) ?? 0,
    openSessions: (login) => state.tokens.count(login),
  };
};

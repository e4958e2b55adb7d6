/** The simulated bank: an HTTP server on loopback that speaks only the wire of banks.md §3.2. */
import fastify from 'fastify';
import {
  delayAnswers,
  type Institution,
  isOwnDoor,
  readForms,
  type SandboxOptions,
  serveInstitution,
} from '../../sandbox-kit/server.ts';
import { registerApiRoutes } from './api-routes.ts';
import { defineDoors } from './doors.ts';
import { buildLedger, type Ledger } from './ledger.ts';
import { refuse } from './refusals.ts';
import { createState, type Knobs } from './state.ts';
import { parseBasic, registerTokenRoutes } from './token-routes.ts';

/** A login is a client id, and a session is a valid token. */
export type BanktwoSandbox = Institution<Ledger>;

export const createBanktwoSandbox = (options: SandboxOptions<Knobs> = {}): BanktwoSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true });
  readForms(app);
  const change = (id: string, by: number) => state.inFlight.set(id, (state.inFlight.get(id) ?? 0) + by);
  app.addHook('onRequest', async (request, reply) => {
    if (isOwnDoor(request)) return;
    const id = String(request.headers['x-client-id'] ?? '');
    change(id, 1);
    reply.raw.once('close', () => change(id, -1));
  });
  delayAnswers(app, state.knobs);
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'NOT_FOUND', 'Recurso no encontrado'));
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
    (error.statusCode ?? 500) < 500
      ? refuse(reply, 400, 'VALIDATION', 'Cuerpo inválido')
      : refuse(reply, 500, 'UPSTREAM', 'Error = 500'),
  );
  registerTokenRoutes(app, state);
  registerApiRoutes(app, state);
  return serveInstitution(
    app,
    options,
    {
      ownerOf: ({ headers }) => {
        const id = String(headers['x-client-id'] ?? parseBasic(String(headers.authorization ?? '')).id);
        return state.clients.has(id) ? id : undefined;
      },
      ledger: (login, period) => {
        const client = state.clients.get(login);
        if (!client) throw new Error(`no client "${login}"`);
        return buildLedger(state, client, period);
      },
      logins: (login) => state.logins.get(login) ?? 0,
      openSessions: state.tokens.count,
    },
    defineDoors(state),
  );
};

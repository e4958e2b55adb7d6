/** The simulated bank three: an HTTP server on loopback that speaks only the wire of banks.md §3.3. */
import fastify from 'fastify';
import { FORM_TYPE } from '../../sandbox-kit/answers.ts';
import {
  cookieIn,
  delayAnswers,
  type Institution,
  type SandboxOptions,
  serveInstitution,
} from '../../sandbox-kit/server.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { defineDoors } from './doors.ts';
import { buildLedger, type Ledger } from './ledger.ts';
import { registerLoginRoutes, rutIn } from './login-routes.ts';
import { UNKNOWN } from './pages.ts';
import { parseForm, sendPage } from './replies.ts';
import { loginOfToken } from './sessions.ts';
import { createState, type Knobs } from './state.ts';

export type BankthreeSandbox = Institution<Ledger>;

export const createBankthreeSandbox = (options: SandboxOptions<Knobs> = {}): BankthreeSandbox => {
  const state = createState(options);
  const app = fastify({ forceCloseConnections: true });
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, parseForm((body as Buffer).toString('latin1'))),
  );
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    payload.on('end', () => done(null, {}));
  });
  app.setNotFoundHandler((_request, reply) => sendPage(reply, UNKNOWN, 404));
  delayAnswers(app, state.knobs);
  registerLoginRoutes(app, state);
  registerAccountRoutes(app, state);
  return serveInstitution(
    app,
    options,
    {
      ownerOf: (request) => {
        const login = rutIn(parseForm(request.body)) ?? loginOfToken(cookieIn(request, 'ASPSESSIONID'));
        return login !== undefined && state.entries.has(login) ? login : undefined;
      },
      ledger: (login, period) => buildLedger(state, login, period),
      logins: (login) => state.logins.get(login) ?? 0,
      openSessions: state.sessions.count,
    },
    defineDoors(state),
  );
};

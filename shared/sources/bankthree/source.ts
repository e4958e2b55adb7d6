/**
 * Bank three as a source: login, statement files (scope `movements`), balances, logout. The wire is described in
 * banks.md §3.3.
 */
import { ofScope, requireMonth, rutIn, type ScopeReader, type ScopeRequest } from '../parsing/request.ts';
import type { JsonObject, SourceAdapter } from '../source.ts';
import { parseBalances, pullBalances } from './balances.ts';
import { createPortalClient, type PortalPull } from './client.ts';
import { login, logout } from './login.ts';
import { manifest } from './manifest.ts';
import { parseMovements } from './movements-parse.ts';
import { pullMovements, type StatementMonth } from './movements-pull.ts';
import { withSession } from './session.ts';

const loginRut = (credentials: JsonObject): string => rutIn(credentials, 'rut');

/** Returns the RUT of the company that every statement must name. */
const companyRut = (credentials: JsonObject): string => rutIn(credentials, 'company_rut', 'rut');

const toMonth = (request: ScopeRequest): StatementMonth => ({
  company: companyRut(request.credentials),
  period: requireMonth(request),
  known: request.known,
});

const SCOPES: Readonly<Record<string, ScopeReader<PortalPull>>> = {
  balances: {
    pull: ({ credentials }, portal) => pullBalances(companyRut(credentials), portal),
    parse: ({ known }, answers) => parseBalances(answers, known),
  },
  movements: {
    pull: (request, portal) => pullMovements(toMonth(request), portal),
    parse: (request, answers) => parseMovements(toMonth(request), answers),
  },
};

const readerOf = (scope: string) => ofScope('bank three', SCOPES, scope);

export const source: SourceAdapter = {
  manifest,
  loginOf: loginRut,
  connect: ({ credentials }, io) => login(loginRut(credentials), String(credentials.password), io),
  disconnect: logout,
  pull: (request, context) =>
    withSession(context.session, context.io, (open) =>
      readerOf(request.scope).pull(request, { ...context, open, client: createPortalClient(open, context.io) }),
    ),
  parse: (request, answers) => readerOf(request.scope).parse(request, answers),
};

/** Bank two as a source: token, movements, balances. The wire is described in banks.md §3.2. */
import { ofScope, requireMonth, type ScopeReader } from '../parsing/request.ts';
import type { SourceAdapter } from '../source.ts';
import { withDamageTold } from '../truth/damaged-text.ts';
import { parseBalances, pullBalances } from './balances.ts';
import { type ApiClient, createApiClient } from './client.ts';
import { readClientId, readCredentials } from './credentials.ts';
import { login } from './login.ts';
import { manifest } from './manifest.ts';
import { parseMovements } from './movements-parse.ts';
import { pullMovements } from './movements-pull.ts';
import { withSession } from './session.ts';

const SCOPES: Readonly<Record<string, ScopeReader<ApiClient>>> = {
  movements: {
    pull: (request, client) => pullMovements(requireMonth(request), client),
    parse: (request, answers) => parseMovements(requireMonth(request), answers, request.known),
  },
  balances: {
    pull: (_, client) => pullBalances(client),
    parse: ({ known }, answers) => parseBalances(answers, known),
  },
};

const readerOf = (scope: string) => ofScope('bank two', SCOPES, scope);

export const source: SourceAdapter = {
  manifest,
  loginOf: readClientId,
  connect: ({ credentials }, io) => login(readCredentials(credentials), io),
  /** The bank has no request that ends a token. A token expires after half an hour. */
  disconnect: async () => {},
  pull: (request, context) =>
    withSession(context.session, context.io, (open) =>
      readerOf(request.scope).pull(request, createApiClient(open, readCredentials(request.credentials), context)),
    ),
  parse: (request, answers) =>
    withDamageTold(manifest.code, request, answers, readerOf(request.scope).parse(request, answers)),
};

/** Bank one as a source: login with its second factor, four scopes, logout. The wire is described in banks.md §3.1. */
import { ofScope, requireMonth, rutIn, type ScopeReader, type ScopeRequest } from '../parsing/request.ts';
import type { JsonObject, SourceAdapter } from '../source.ts';
import { withDamageTold } from '../truth/damaged-text.ts';
import { type Accounts, pullAccounts } from './accounts.ts';
import { parseBalances, pullBalances } from './balances.ts';
import { type BankClient, createBankClient } from './client.ts';
import { login, logout } from './login.ts';
import { manifest } from './manifest.ts';
import { parseMovements } from './movements-parse.ts';
import { type MovementsMonth, pullMovements } from './movements-pull.ts';
import { parseNominas } from './nominas-parse.ts';
import { pullNominas } from './nominas-pull.ts';
import { withSession } from './session.ts';
import { parseTransfers } from './transfers-parse.ts';
import { pullTransfers } from './transfers-pull.ts';

const companyRut = (credentials: JsonObject): string | undefined =>
  credentials.company_rut === undefined ? undefined : rutIn(credentials, 'company_rut');

interface BankPull {
  accounts: Accounts;
  client: BankClient;
}

const toMonth = (request: ScopeRequest): MovementsMonth => ({ period: requireMonth(request), known: request.known });

const SCOPES: Readonly<Record<string, ScopeReader<BankPull>>> = {
  balances: {
    pull: (_, { accounts, client }) => pullBalances(accounts, client),
    parse: ({ known }, answers) => parseBalances(answers, known),
  },
  movements: {
    pull: (request, { accounts, client }) => pullMovements(toMonth(request), accounts, client),
    parse: (request, answers) => parseMovements(toMonth(request), answers),
  },
  transfers: {
    pull: (request, { accounts, client }) => pullTransfers(requireMonth(request), accounts, client),
    parse: (request, answers) => parseTransfers(toMonth(request), answers),
  },
  nominas: {
    pull: (request, { client }) => pullNominas(requireMonth(request), client),
    parse: (request, answers) => parseNominas(toMonth(request), answers),
  },
};

const readerOf = (scope: string) => ofScope('bank one', SCOPES, scope);

export const source: SourceAdapter = {
  manifest,
  loginOf: (credentials) => rutIn(credentials, 'rut'),
  connect: ({ credentials }, io) =>
    login(
      { rut: rutIn(credentials, 'rut'), password: String(credentials.password), company: companyRut(credentials) },
      io,
    ),
  disconnect: logout,
  pull: (request, context) =>
    withSession(context.session, context.io, async (open) => {
      const wanted = companyRut(request.credentials) ?? String(context.session.company);
      const accounts = await pullAccounts(createBankClient(open, context, wanted));
      // If the stored answers are about a company, a worker that resumes reads the same company, even if the new login
      // selects another company.
      const client = createBankClient(open, context, accounts.company ?? wanted);
      await readerOf(request.scope).pull(request, { accounts, client });
    }),
  parse: (request, answers) =>
    withDamageTold(manifest.code, request, answers, readerOf(request.scope).parse(request, answers)),
};

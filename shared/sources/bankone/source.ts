/** Bank one as a source: login with its second factor, four scopes, logout. The wire: banks.md §3.1. */
import { santiagoDay } from '#shared/values/dates.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import type { JsonObject, Parsed, PullRequest, RawAnswer, SourceAdapter } from '../source.ts';
import { withDamageTold } from '../truth/damaged-text.ts';
import { pullAccounts } from './accounts.ts';
import { parseBalances, pullBalances } from './balances.ts';
import { createBankClient } from './client.ts';
import { login, logout } from './login.ts';
import { manifest } from './manifest.ts';
import { parseMovements } from './movements-parse.ts';
import { pullMovements } from './movements-pull.ts';
import { parseNominas } from './nominas-parse.ts';
import { pullNominas } from './nominas-pull.ts';
import { withSession } from './session.ts';
import { parseTransfers } from './transfers-parse.ts';
import { pullTransfers } from './transfers-pull.ts';

/** Credentials passed the manifest's schema when they were given; anything else here is our own fault. */
const rutIn = (credentials: JsonObject, name: string): string => {
  const spelling = credentials[name];
  const rut = typeof spelling === 'string' ? normalizeRut(spelling) : undefined;
  if (rut === undefined) throw new Error(`credentials without a valid ${name}`);
  return rut;
};

const companyRut = (credentials: JsonObject): string | undefined =>
  credentials.company_rut === undefined ? undefined : rutIn(credentials, 'company_rut');

const monthOf = ({ scope, period }: Pick<PullRequest, 'scope' | 'period'>): string => {
  if (period === null) throw new Error(`${scope} are read by month`);
  return period;
};

const noSuchScope = (scope: string): Error => new Error(`bank one has no scope "${scope}"`);

const parseScope = (
  request: Pick<PullRequest, 'scope' | 'period' | 'known'>,
  answers: readonly RawAnswer[],
): Iterable<Parsed> => {
  const { scope, known } = request;
  if (scope === 'balances') return parseBalances(answers, known);
  if (scope === 'movements') return parseMovements(monthOf(request), answers, known);
  if (scope === 'transfers') return parseTransfers(monthOf(request), answers, known);
  if (scope === 'nominas') return parseNominas(monthOf(request), answers, known);
  throw noSuchScope(scope);
};

export const source: SourceAdapter = {
  manifest,
  loginOf: (credentials) => rutIn(credentials, 'rut'),
  connect: ({ credentials }, io) =>
    login(
      { rut: rutIn(credentials, 'rut'), password: String(credentials.password), company: companyRut(credentials) },
      io,
    ),
  disconnect: logout,
  pull: (request, session, ask, io, progress) =>
    withSession(session, io, async (open) => {
      const { scope, credentials, known } = request;
      const wanted = companyRut(credentials) ?? String(session.company);
      const accounts = await pullAccounts(createBankClient(open, io, wanted), ask, io);
      // Whoever goes on with kept answers stays with their company, whatever a new login selects.
      const client = createBankClient(open, io, accounts.company ?? wanted);
      if (scope === 'balances') return pullBalances(accounts, client, ask, progress);
      if (scope === 'movements') {
        const month = { period: monthOf(request), known, today: () => santiagoDay(io.now()) };
        return pullMovements(month, accounts, client, ask, progress);
      }
      if (scope === 'transfers') return pullTransfers(monthOf(request), accounts, client, ask, progress);
      if (scope === 'nominas') return pullNominas(monthOf(request), client, ask, progress);
      throw noSuchScope(scope);
    }),
  parse: (request, answers) => withDamageTold(manifest.code, request, answers, parseScope(request, answers)),
};

/** Bank three as a source: login, statement files (scope `movements`), balances, logout. The wire: banks.md §3.3. */
import type { SourceAdapter } from '../source.ts';
import { parseBalances, pullBalances } from './balances.ts';
import { createPortalClient } from './client.ts';
import { companyRut, loginRut } from './credentials.ts';
import { login, logout } from './login.ts';
import { manifest } from './manifest.ts';
import { parseMovements } from './movements-parse.ts';
import { pullMovements } from './movements-pull.ts';
import { withSession } from './session.ts';

const unknownScope = (scope: string): Error => new Error(`bank three has no scope "${scope}"`);

const monthOf = (period: string | null): string => {
  if (period === null) throw new Error('movements are read by month');
  return period;
};

export const source: SourceAdapter = {
  manifest,
  loginOf: loginRut,
  connect: ({ credentials }, io) => login(loginRut(credentials), String(credentials.password), io),
  disconnect: logout,
  pull: ({ scope, period, credentials, known }, session, ask, io, progress) =>
    withSession(session, io, async (open) => {
      const client = createPortalClient(open, io);
      const company = companyRut(credentials);
      if (scope === 'balances') return pullBalances(company, client, open, ask, io);
      if (scope !== 'movements') throw unknownScope(scope);
      return pullMovements({ company, period: monthOf(period), known }, client, open, ask, io, progress);
    }),
  parse: ({ scope, period, credentials, known }, answers) => {
    if (scope === 'balances') return parseBalances(answers, known);
    if (scope !== 'movements') throw unknownScope(scope);
    return parseMovements({ company: companyRut(credentials), period: monthOf(period), known }, answers);
  },
};

/** Bank two as a source: token, movements, balances. The wire: banks.md §3.2. */
import type { Parsed, PullRequest, RawAnswer, SourceAdapter } from '../source.ts';
import { withDamageTold } from '../truth/damaged-text.ts';
import { parseBalances, pullBalances } from './balances.ts';
import { createApiClient } from './client.ts';
import { clientIdOf, readCredentials } from './credentials.ts';
import { login } from './login.ts';
import { manifest } from './manifest.ts';
import { parseMovements } from './movements-parse.ts';
import { pullMovements } from './movements-pull.ts';
import { withSession } from './session.ts';

const monthOf = (period: string | null): string => {
  if (period === null) throw new Error('movements are read by month');
  return period;
};

const unknownScope = (scope: string): Error => new Error(`bank two has no scope "${scope}"`);

const parseScope = (
  { scope, period, known }: Pick<PullRequest, 'scope' | 'period' | 'known'>,
  answers: readonly RawAnswer[],
): Iterable<Parsed> => {
  if (scope === 'movements') return parseMovements(monthOf(period), answers, known);
  if (scope === 'balances') return parseBalances(answers, known);
  throw unknownScope(scope);
};

export const source: SourceAdapter = {
  manifest,
  loginOf: clientIdOf,
  connect: ({ credentials }, io) => login(readCredentials(credentials), io),
  /** A token cannot be given back; it ends by itself after half an hour. */
  disconnect: async () => {},
  pull: async ({ scope, period, credentials }, session, ask, io, progress) => {
    await withSession(session, io, async (open) => {
      const client = createApiClient(open, readCredentials(credentials), io);
      if (scope === 'movements') await pullMovements(monthOf(period), io.now(), client, ask, progress);
      else if (scope === 'balances') await pullBalances(client, ask, () => io.now(), progress);
      else throw unknownScope(scope);
    });
  },
  parse: (request, answers) => withDamageTold(manifest.code, request, answers, parseScope(request, answers)),
};

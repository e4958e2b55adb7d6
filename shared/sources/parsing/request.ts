/** What a request says. Credentials passed the manifest's schema; anything else here is our own fault. */
import { normalizeRut } from '#shared/values/rut.ts';
import type { JsonObject, Parsed, PullRequest, RawAnswer, SourceAdapter } from '../source.ts';

/** The first of these credentials that is given, as `70000001-K`. */
export const rutIn = (credentials: JsonObject, ...names: string[]): string => {
  const spelling = names.map((name) => credentials[name]).find((value) => typeof value === 'string' && value !== '');
  const rut = typeof spelling === 'string' ? normalizeRut(spelling) : undefined;
  if (rut === undefined) throw new Error(`credentials without a valid ${names.join(' or ')}`);
  return rut;
};

/** YYYY-MM */
export const requireMonth = ({ scope, period }: Pick<PullRequest, 'scope' | 'period'>): string => {
  if (period === null) throw new Error(`${scope} are read by month`);
  return period;
};

export type ScopeRequest = Parameters<SourceAdapter['parse']>[0];

/** How one scope is read: what is asked with a client of the source, and what the kept answers say. */
export interface ScopeReader<Client> {
  pull(request: ScopeRequest, client: Client): Promise<void>;
  parse(request: ScopeRequest, answers: readonly RawAnswer[]): Iterable<Parsed>;
}

/** What a source has for a scope. */
export const ofScope = <Value>(source: string, scopes: Readonly<Record<string, Value>>, scope: string): Value => {
  const value = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  if (value === undefined) throw new Error(`${source} has no scope "${scope}"`);
  return value;
};

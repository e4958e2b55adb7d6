/**
 * Reads fields of a request. The manifest's schema has already accepted the credentials, so an invalid value here is
 * our own mistake.
 */
import { normalizeRut } from '#shared/values/rut.ts';
import type { JsonObject, Parsed, PullRequest, RawAnswer, SourceAdapter } from '../source.ts';

/** Returns the first of the named credentials that has a value, in the form `70000001-K`. */
export const rutIn = (credentials: JsonObject, ...names: string[]): string => {
  const spelling = names.map((name) => credentials[name]).find((value) => typeof value === 'string' && value !== '');
  const rut = typeof spelling === 'string' ? normalizeRut(spelling) : undefined;
  if (rut === undefined) throw new Error(`credentials without a valid ${names.join(' or ')}`);
  return rut;
};

/** Returns the month of the request, YYYY-MM. */
export const requireMonth = ({ scope, period }: Pick<PullRequest, 'scope' | 'period'>): string => {
  if (period === null) throw new Error(`${scope} are read by month`);
  return period;
};

export type ScopeRequest = Parameters<SourceAdapter['parse']>[0];

/** Reads one scope: `pull` makes the requests with a client of the source, and the parser reads the stored answers. */
export interface ScopeReader<Client> {
  pull(request: ScopeRequest, client: Client): Promise<void>;
  parse(request: ScopeRequest, answers: readonly RawAnswer[]): Iterable<Parsed>;
}

/** Returns the value that a source defines for a scope. */
export const ofScope = <Value>(source: string, scopes: Readonly<Record<string, Value>>, scope: string): Value => {
  const value = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  if (value === undefined) throw new Error(`${source} has no scope "${scope}"`);
  return value;
};

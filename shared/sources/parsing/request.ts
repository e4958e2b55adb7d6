/**
 * Reads fields of a request. The manifest's schema has accepted the credentials, so an invalid value here is our own
 * fault.
 */
import { normalizeRut } from '#shared/values/rut.ts';
import type { JsonObject, Parsed, PullRequest, RawAnswer, SourceAdapter } from '../source.ts';

/** The first credential of these names that has a value, as `70000001-K`. */
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

/** How one scope is read: the requests of a client of the source, and the parser of the stored answers. */
export interface ScopeReader<Client> {
  pull(request: ScopeRequest, client: Client): Promise<void>;
  parse(request: ScopeRequest, answers: readonly RawAnswer[]): Iterable<Parsed>;
}

/** The source's value for a scope. */
export const ofScope = <Value>(source: string, scopes: Readonly<Record<string, Value>>, scope: string): Value => {
  const value = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  if (value === undefined) throw new Error(`${source} has no scope "${scope}"`);
  return value;
};

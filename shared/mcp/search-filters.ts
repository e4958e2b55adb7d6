/** The filters that a search accepts in each scope, and their validation by the list's own query schema. */
import * as z from 'zod';
import { judge } from '#shared/http/request/issues.ts';
import { AGENT_SCOPES, type AgentScope, invalid } from './agent-scopes.ts';

/** Filters that have their own arguments in the tool. */
const NAMED: ReadonlySet<string> = new Set(['period', 'from', 'to', 'q', 'limit', 'offset']);

export const ownFilters = (scope: AgentScope): string[] =>
  Object.keys(scope.filters.shape).filter((name) => !NAMED.has(name));

const takesBoolean = (name: string): boolean =>
  AGENT_SCOPES.some(({ filters }) => (filters.shape[name] as z.ZodType | undefined)?.safeParse(true).success === true);

/**
 * Builds the argument `filters` of all scopes. The names are only published: which of them a scope takes is decided by
 * the call, whose error lists them.
 */
export const filtersArgument = <V extends z.ZodType>(names: readonly string[], value: V, description: string) =>
  z
    .record(z.string(), value)
    .meta({
      properties: Object.fromEntries(
        [...new Set(names)].sort().map((name) => [name, { type: takesBoolean(name) ? 'boolean' : 'string' }]),
      ),
    })
    .optional()
    .describe(description);

export interface SearchArguments {
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  text?: string | undefined;
  filters?: Readonly<Record<string, string | boolean>> | undefined;
}

const ARGUMENTS = { period: 'period', from: 'from', to: 'to', text: 'q' } as const;

const refuseUnknown = (scope: AgentScope, call: SearchArguments): void => {
  const own = ownFilters(scope);
  const allowed = own.length > 0 ? `only ${own.join(', ')}` : 'no filters of its own';
  for (const name of Object.keys(call.filters ?? {}))
    if (!own.includes(name)) throw invalid(`filters has an unknown name: ${scope.name} takes ${allowed}`);
  for (const [argument, name] of Object.entries(ARGUMENTS))
    if (call[argument as keyof typeof ARGUMENTS] !== undefined && !(name in scope.filters.shape))
      throw invalid(`${argument} is not possible for ${scope.name}`);
};

/** Turns the text `true` into a boolean. The schema of a flag expects the boolean, which agents may write as text. */
const asValue = (value: string | boolean): unknown => (value === 'true' ? true : value);

/**
 * Builds the list's query. Errors name argument and rule; the error for an unknown filter lists the known filters.
 *
 * @throws ApiError
 */
export const buildSearchQuery = (
  scope: AgentScope,
  call: SearchArguments,
  page: { limit: number; offset: number },
): Record<string, unknown> & { limit: number; offset: number } => {
  refuseUnknown(scope, call);
  const named = Object.entries(ARGUMENTS).flatMap(([argument, name]) => {
    const value = call[argument as keyof typeof ARGUMENTS];
    return value === undefined ? [] : [[name, value]];
  });
  const own = Object.entries(call.filters ?? {}).map(([name, value]) => [name, asValue(value)]);
  const judged = judge(scope.filters, { ...Object.fromEntries([...named, ...own]), ...page }, { noun: 'search' });
  if (judged.finding !== undefined) throw invalid(judged.finding.replace(/^q /, 'text '));
  return judged.data as Record<string, unknown> & { limit: number; offset: number };
};

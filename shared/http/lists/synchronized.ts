/**
 * Contracts of all endpoints that read a scope's rows, derived from the scope: list, balances, periods, document,
 * parts. The folder of each endpoint contains only two lines of code, so that an endpoint can be found by its folder's
 * name.
 */
import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import type { ErrorCode } from '#shared/http/response/errors.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { DAYS_IN_ORDER, daysInOrder, page, type ScopeDefinition, type SummedScope } from '#shared/scopes/scope.ts';
import { decimal, period } from '#shared/values/fields.ts';
import { Pagination, paginated } from './pagination.ts';

const PATH = { id: { unknown: 'connection_not_found' } } as const;
const READS = ['table:read'] as const;
export const defineList = <const S extends ScopeDefinition, const I extends string>(
  scope: S,
  endpoint: { id: I; tag: string; summary: string; description: string },
) =>
  defineEndpoint({
    ...endpoint,
    method: 'GET',
    path: `/connections/{id}/${scope.resource}`,
    auth: 'read',
    params: PATH,
    query: scope.filters as S['filters'],
    responses: { 200: paginated(scope.listRow) },
    errors: ['connection_not_found', 'scope_not_found'],
    needs: READS,
  });

/** A list that returns one page without `pagination` if only the latest balances are requested. */
export const defineBalanceList = <const S extends ScopeDefinition, const I extends string>(
  scope: S,
  endpoint: { id: I; tag: string; bank: string },
) => {
  const { bank, ...rest } = endpoint;
  return defineEndpoint({
    ...rest,
    summary: `List balances of ${bank}`,
    description:
      'Balances observed by each sync, newest first. With `latest=true`, only the newest observation of every ' +
      'account and currency, after the other filters, without `pagination`.',
    method: 'GET',
    path: `/connections/{id}/${scope.resource}`,
    auth: 'read',
    params: PATH,
    query: scope.filters as S['filters'],
    responses: {
      200: z.object({
        data: z.array(scope.listRow),
        pagination: Pagination.optional().describe('Absent with `latest=true`.'),
      }),
    },
    errors: ['connection_not_found', 'scope_not_found'],
    needs: READS,
  });
};

export const definePeriods = <const I extends string>(scope: ScopeDefinition, endpoint: { id: I; tag: string }) =>
  defineEndpoint({
    ...endpoint,
    summary: `List periods of ${scope.resource}`,
    description: 'Months (YYYY-MM) for which rows are stored, newest first.',
    method: 'GET',
    path: `/connections/{id}/${scope.resource}/periods`,
    auth: 'read',
    params: PATH,
    responses: { 200: z.object({ data: z.array(period()) }) },
    errors: ['connection_not_found', 'scope_not_found'],
    needs: READS,
  });

const totalsView = ({ listRow, agent }: SummedScope) => {
  const { groups, sums, subtracted } = agent;
  const groupBy = (fields: readonly string[]) =>
    z.object(Object.fromEntries(fields.map((field) => [field, listRow.shape[field] as z.ZodType])));
  const amounts = () =>
    z
      .object(Object.fromEntries(sums.map((field) => [field, decimal()])))
      .describe('Exact sums. A row without the amount counts as 0.');
  const group = { group: groupBy(groups), rows: z.int() };
  const rows = z.int().describe('Number of rows that match the filters.');
  if (!subtracted) return z.object({ rows, groups: z.array(z.object({ ...group, sums: amounts() })) });
  const others = groups.filter((field) => !(field in subtracted));
  const isSubtracted = z.boolean().describe('True for credit notes: `net` subtracts the sums, which are positive.');
  return z.object({
    rows,
    groups: z.array(z.object({ ...group, is_subtracted: isSubtracted, sums: amounts() })),
    net: z
      .array(z.object({ group: groupBy(others), sums: amounts() }))
      .describe('The groups added up over the document types, with credit notes subtracted.'),
  });
};

/** Defines the totals of a list, with the filters of the list. */
export const defineTotals = <const S extends SummedScope, const I extends string>(
  scope: S,
  endpoint: { id: I; tag: string },
) => {
  const { limit: _, offset: __, ...filters } = scope.filters.shape as Omit<S['filters']['shape'], never>;
  return defineEndpoint({
    ...endpoint,
    summary: `Add up ${scope.resource}`,
    description:
      `Number and exact sums of the rows that the list returns under the same filters, by ${scope.agent.groups.join(', ')}. ` +
      `At most ${ROW_LIMITS.summedMonthsMax} months and ${ROW_LIMITS.summedRowsMax} rows that must be read; more is ` +
      '400, and the message names the filters that help.',
    method: 'GET',
    path: `/connections/{id}/${scope.resource}/totals`,
    auth: 'read',
    params: PATH,
    query: z.strictObject(filters).refine(daysInOrder, DAYS_IN_ORDER),
    responses: { 200: z.object({ data: totalsView(scope) }) },
    errors: ['connection_not_found', 'scope_not_found', 'connection_sync_in_progress'],
    needs: READS,
  });
};

export const defineDocument = <const I extends string, const P extends string, const E extends ErrorCode>(
  scope: ScopeDefinition,
  endpoint: { id: I; tag: string; summary: string; description: string; param: P; notFound: E },
) => {
  const { param, notFound, ...rest } = endpoint;
  if (scope.fullRow === null) throw new Error(`${scope.name} has no documents`);
  return defineEndpoint({
    ...rest,
    method: 'GET',
    path: `/connections/{id}/${scope.resource}/{${param}}`,
    auth: 'read',
    params: { ...PATH, [param]: { uuid: true } } as typeof PATH & Record<P, { uuid: true }>,
    responses: { 200: z.object({ data: scope.fullRow }) },
    errors: ['connection_not_found', notFound],
    needs: READS,
  });
};

const PARTS_QUERY = z.strictObject(page);

/**
 * Defines the list of the child rows of a row: `/<resource>/{param}/<field>`. A malformed id gets the same answer as an
 * unknown id.
 */
export const defineParts = <const I extends string, const P extends string, const E extends ErrorCode>(
  scope: ScopeDefinition,
  endpoint: { id: I; tag: string; summary: string; description: string; param: P; notFound: E },
) => {
  const { param, notFound, ...rest } = endpoint;
  if (!scope.childRows) throw new Error(`rows of ${scope.name} have no rows of their own`);
  return defineEndpoint({
    ...rest,
    method: 'GET',
    path: `/connections/{id}/${scope.resource}/{${param}}/${scope.childRows.field}`,
    auth: 'read',
    params: { ...PATH, [param]: { unknown: notFound } } as typeof PATH & Record<P, { unknown: E }>,
    query: PARTS_QUERY,
    responses: { 200: paginated(scope.childRows.listRow) },
    errors: ['connection_not_found', notFound],
    needs: READS,
  });
};

/**
 * Contracts of everything that reads a scope's rows, derived from the scope: list, periods, document. An endpoint's
 * folder holds two lines each, so that anyone finds it by its name.
 */
import * as z from 'zod';
import { period } from '#shared/domain/fields.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { defineEndpoint } from './contract.ts';
import type { ErrorCode } from './errors.ts';
import { paginated } from './pagination.ts';

const PATH = { id: { unknown: 'connection_not_found' } } as const;
const READS = ['table:read'] as const;
const EMPTY = z.strictObject({});

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
    strictQuery: true,
    responses: { 200: paginated(scope.listRow) },
    errors: ['connection_not_found'],
    needs: READS,
  });

export const definePeriods = <const I extends string>(scope: ScopeDefinition, endpoint: { id: I; tag: string }) =>
  defineEndpoint({
    ...endpoint,
    summary: `List periods of ${scope.resource}`,
    description: 'Months (YYYY-MM) for which rows are stored, newest first.',
    method: 'GET',
    path: `/connections/{id}/${scope.resource}/periods`,
    auth: 'read',
    params: PATH,
    query: EMPTY,
    strictQuery: true,
    responses: { 200: z.object({ data: z.array(period()) }) },
    errors: ['connection_not_found'],
    needs: READS,
  });

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

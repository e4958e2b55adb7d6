/** Contract of a list below a tender, derived from the scope. */

import { defineEndpoint } from '#shared/http/contract.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { paginated } from './pagination.ts';

export const defineTenderList = <const S extends ScopeDefinition, const I extends string>(
  scope: S,
  endpoint: { id: I; summary: string; description: string },
) =>
  defineEndpoint({
    ...endpoint,
    tag: 'Public procurement',
    method: 'GET',
    path: `/procurement/licitaciones/{codigo}/${scope.name}`,
    auth: 'key',
    params: { codigo: { text: true } },
    query: scope.filters as S['filters'],
    responses: { 200: paginated(scope.listRow) },
    errors: ['licitacion_not_found'],
    needs: ['table:read'],
  });

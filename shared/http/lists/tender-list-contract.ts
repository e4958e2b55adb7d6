/** Contracts of the endpoints that read tenders. */

import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { instant } from '#shared/values/fields.ts';
import { paginated } from './pagination.ts';

interface Described<I extends string> {
  id: I;
  summary: string;
  description: string;
}

/** Fields that both paths of a list have, derived from the scope. */
const fieldsFor = <const S extends ScopeDefinition>({ filters, listRow }: S) =>
  ({
    tag: 'Public procurement',
    method: 'GET',
    query: filters as S['filters'],
    responses: { 200: paginated(listRow) },
    needs: ['table:read'],
  }) as const;

/** A list below a tender. */
export const defineTenderList = <const S extends ScopeDefinition, const I extends string>(
  scope: S,
  endpoint: Described<I>,
) =>
  defineEndpoint({
    ...endpoint,
    ...fieldsFor(scope),
    path: `/procurement/licitaciones/{codigo}/${scope.name}`,
    auth: 'key',
    params: { codigo: { text: true } },
    errors: ['licitacion_not_found'],
  });

/** The same list for a session, below a procurement connection. */
export const defineConnectionTenderList = <const S extends ScopeDefinition, const I extends string>(
  scope: S,
  endpoint: Described<I>,
) =>
  defineEndpoint({
    ...endpoint,
    ...fieldsFor(scope),
    path: `/connections/{id}/licitaciones/{codigo}/${scope.name}`,
    auth: 'session',
    params: { ...CONNECTION, codigo: { text: true } },
    errors: [...OF_CONNECTION, 'licitacion_not_found'],
  });

/** Path parameter of the session's paths. */
export const CONNECTION = { id: { unknown: 'connection_not_found' } } as const;
/** Errors of the session's paths. */
export const OF_CONNECTION = ['connection_not_found', 'scope_not_found'] as const;

export const DocumentLink = z.object({
  data: z.object({
    url: z
      .string()
      .describe('Downloads the file; works for everyone who has the link.')
      .meta({ format: 'uri', examples: ['https://documents.example.com/bases.pdf?X-Amz-Signature=0a1b'] }),
    expires_at: instant().describe('The URL is refused from this time on.'),
  }),
});

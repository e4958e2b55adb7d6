/**
 * Contract and logic of lists below a tender, derived from the scope. The folder of each endpoint contains only a few
 * lines.
 */

import type { Answer, Caller } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { listRows, type ServedTenderRow } from '#shared/tenders/read-tender.store.ts';
import { normalizedCodigo } from '#shared/tenders/tender.store.ts';
import { toPage } from './pagination.ts';

interface ListInput {
  caller: Caller;
  params: { codigo: string };
  query: { limit: number; offset: number };
}

/** Reads and orders the whole list. A tender has tens of documents and offers, and at most a few thousand questions. */
export const listTenderRows =
  (scope: ScopeDefinition, order: (a: ServedTenderRow, b: ServedTenderRow) => number) =>
  async ({ caller, params, query: { limit, offset } }: ListInput): Promise<Answer> => {
    const codigo = normalizedCodigo(params.codigo);
    const rows = codigo === null ? undefined : await listRows(caller.organizationId, codigo, scope);
    if (!rows) throw notFound('licitacion_not_found');
    const page = rows.sort(order).slice(offset, offset + limit);
    return {
      status: 200,
      body: toPage(
        page.map(({ row }) => row),
        rows.length,
        limit,
        offset,
      ),
    };
  };

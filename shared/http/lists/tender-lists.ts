/**
 * Logic of the endpoints that read tenders. The folder of each endpoint contains only a few lines. A key reads tenders
 * below `/procurement`, a session below a connection; both get the same rows.
 */

import * as connections from '#shared/connections/connection.store.ts';
import type { Answer, Caller } from '#shared/http/endpoint.ts';
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { signedUrl } from '#shared/tenders/document-link.client.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import { findTender, listRows, type ServedTenderRow } from '#shared/tenders/read-tender.store.ts';
import { readTenderList, type TenderListRequest, TooManyToSearch } from '#shared/tenders/read-tender-list.store.ts';
import { normalizedCodigo } from '#shared/tenders/tender.store.ts';
import { findFile } from '#shared/tenders/tender-file.store.ts';
import { toPage } from './pagination.ts';
import { otherSource } from './read-rows.ts';

interface TenderCall {
  caller: Pick<Caller, 'organizationId'>;
}

interface ListInput extends TenderCall {
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

const refuseSearch = (error: unknown): never => {
  if (!(error instanceof TooManyToSearch)) throw error;
  const most = TENDER_LIMITS.tendersSearchedMax.toLocaleString('en-US');
  throw new ApiError(
    'validation_error',
    `q looks through at most ${most} tenders: narrow it by from and to, or by estado`,
  );
};

export const listTenders = async ({
  caller: { organizationId },
  query,
}: TenderCall & { query: TenderListRequest }): Promise<Answer> => {
  const { rows, total } = await readTenderList(organizationId, query).catch(refuseSearch);
  return { status: 200, body: toPage(rows, total, query.limit, query.offset) };
};

export const getTender = async ({ caller, params }: TenderCall & { params: { codigo: string } }): Promise<Answer> => {
  const codigo = normalizedCodigo(params.codigo);
  const tender = codigo === null ? undefined : await findTender(caller.organizationId, codigo, procurementLicitaciones);
  if (!tender) throw notFound('licitacion_not_found');
  return { status: 200, body: { data: tender } };
};

export const linkDocument = async ({
  caller,
  params,
}: TenderCall & { params: { documentoId: string } }): Promise<Answer> => {
  const file = await findFile(caller.organizationId, params.documentoId);
  if (!file) throw notFound('documento_not_found');
  // The time is computed before the link is signed, so that the link is valid at least until `expires_at`.
  const expires_at = new Date(nowMs() + TENDER_LIMITS.signedUrlSeconds * 1_000).toISOString();
  return { status: 200, body: { data: { url: await signedUrl(file.object), expires_at } } };
};

/**
 * Returns the logic for the path of a connection, which must be one of procurement. A connection of another source would
 * show tenders that it did not read.
 */
export const belowConnection =
  <I extends TenderCall>(logic: (input: I) => Promise<Answer>) =>
  async (input: I & { params: { id: string } }): Promise<Answer> => {
    const connection = await connections.find(input.caller.organizationId, input.params.id);
    if (!connection) throw notFound('connection_not_found');
    if (connection.source !== procurementLicitaciones.source) throw otherSource(connection.source);
    return logic(input);
  };

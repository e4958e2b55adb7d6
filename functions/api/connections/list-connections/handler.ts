import * as connections from '#shared/connections/connection.store.ts';
import { findConnections } from '#shared/connections/find-connections.store.ts';
import { type SelectedConnection, selectConnections } from '#shared/connections/select-connections.rules.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { toPage } from '#shared/http/lists/pagination.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { toConnection } from '#shared/http/views/connection.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { mapConcurrent } from '#shared/platform/concurrency.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { showConnection } from '../show-connection.ts';
import { contract } from './contract.ts';

const TOO_LARGE = 'All connections are more than 5.5 MB. Ask for pages, e.g. limit=200.';

/** Builds the answer with all connections. @throws ApiError if it could be too large for the gateway */
const allWithin = <T, V>(found: readonly T[], view: (one: T) => V): { data: V[] } => {
  let bytes = 0;
  const data = found.map((one) => {
    const shown = view(one);
    bytes += Buffer.byteLength(JSON.stringify(shown)) + 1;
    if (bytes > HTTP_LIMITS.connectionListBytesMax) throw new ApiError('validation_error', TOO_LARGE);
    return shown;
  });
  return { data };
};

export const listConnections: Logic<typeof contract> = async ({ caller, query }) => {
  const { limit, offset, reference, status, external_source_code: source, company_rut, q, attention, sort } = query;
  const companyRut = company_rut === undefined ? undefined : normalizeRut(company_rut);
  const filter = { reference, status, source, companyRut, q, needsAttention: attention };
  const atMs = nowMs();
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (limit !== undefined && !isFiltered && sort === 'created') {
    const { page, total } = await connections.listPage(caller.organizationId, { limit, offset });
    const shown = await mapConcurrent(page, TABLE_LIMITS.tableParallelMax, showConnection);
    return {
      status: 200,
      body: toPage(
        shown.map((one) => one.shown),
        total,
        limit,
        offset,
      ),
    };
  }
  const view = ({ connection, isLoginShared }: SelectedConnection) =>
    toConnection(connection, requireManifest(connection.source), { nowMs: atMs, isLoginShared });
  const { connections: read, sharers } = await findConnections(caller.organizationId, filter);
  const found = selectConnections(read, filter, { order: sort, nowMs: atMs, sharers });
  if (limit === undefined) return { status: 200, body: allWithin(found, view) };
  const shown = found.slice(offset, offset + limit).map(view);
  return { status: 200, body: toPage(shown, found.length, limit, offset) };
};

export const handler = endpoint(contract, listConnections);

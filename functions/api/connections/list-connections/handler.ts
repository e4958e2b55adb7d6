import type { Connection } from '#shared/connections/connection.rules.ts';
import { findConnections } from '#shared/connections/find-connections.store.ts';
import { findPage } from '#shared/connections/find-page.store.ts';
import { type SelectedConnection, selectConnections } from '#shared/connections/select-connections.rules.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { toPage } from '#shared/http/lists/pagination.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { toConnection } from '#shared/http/views/connection.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import { normalizeRut } from '#shared/values/rut.ts';
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

export const listConnections: Logic<typeof contract> = async ({ caller: { organizationId }, query }) => {
  const { limit, offset, reference, status, external_source_code: source, company_rut, q, attention, sort } = query;
  const companyRut = company_rut === undefined ? undefined : normalizeRut(company_rut);
  const filter = { reference, status, source, companyRut, q, needsAttention: attention };
  const choice = { filter, order: sort, nowMs: nowMs() };
  const view = ({ connection, isLoginShared }: SelectedConnection<Connection>) =>
    toConnection(connection, requireManifest(connection.source), { nowMs: choice.nowMs, isLoginShared });
  if (limit === undefined) {
    const { connections, sharers } = await findConnections(organizationId, filter);
    return { status: 200, body: allWithin(selectConnections(connections, sharers, choice), view) };
  }
  const { page, total } = await findPage(organizationId, { limit, offset }, choice);
  return { status: 200, body: toPage(page.map(view), total, limit, offset) };
};

export const handler = endpoint(contract, listConnections);

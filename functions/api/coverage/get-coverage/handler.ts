import * as connections from '#shared/connections/connection.store.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toScopeCoverage } from '#shared/http/views/coverage.ts';
import { listEnabledScopes, readCoverage } from '#shared/sync/coverage/read-coverage.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, async ({ caller, params, query }) => {
  const { organizationId } = caller;
  const connection = await connections.find(organizationId, params.id);
  if (!connection) throw notFound('connection_not_found');
  const wanted = listEnabledScopes(connection).filter(({ name }) => query.scope === undefined || query.scope === name);
  const coverage = await readCoverage(organizationId, params.id, wanted);
  return { status: 200, body: { data: coverage.map(toScopeCoverage) } };
});

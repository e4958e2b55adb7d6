import * as connections from '#shared/connections/connection.store.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toPeriodCoverageWithTotals } from '#shared/http/views/coverage.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { readPeriodCoverage } from '#shared/sync/coverage/read-coverage.ts';
import { PERIOD_PATTERN } from '#shared/values/fields.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, async ({ caller, params }) => {
  const { organizationId } = caller;
  const { id: connectionId, scope: name, period } = params;
  const connection = await connections.find(organizationId, connectionId);
  if (!connection) throw notFound('connection_not_found');
  const scope = SCOPES.find((each) => each.source === connection.source && each.name === name);
  if (!scope || !PERIOD_PATTERN.test(period)) throw notFound('coverage_not_found');
  const month = await readPeriodCoverage({ organizationId, connectionId, scope: name }, scope, period);
  if (!month) throw notFound('coverage_not_found');
  return { status: 200, body: { data: toPeriodCoverageWithTotals(month) } };
});

import { findPage } from '#shared/connections/find-page.store.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { toPage } from '#shared/http/lists/pagination.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { toConnectionCoverage } from '#shared/http/views/coverage.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { listEnabledScopes, readCoverageOfMany } from '#shared/sync/coverage/read-coverage.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { addMonths, countMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { contract } from './contract.ts';

const refuse = (finding: string): never => {
  throw new ApiError('validation_error', finding);
};

const readRange = (query: { period_from?: string | undefined; period_to?: string | undefined }) => {
  const last = query.period_to ?? santiagoPeriod(nowMs());
  const first = query.period_from ?? addMonths(last, 1 - SYNC_LIMITS.coverageMonthsDefault);
  const months = countMonths(first, last);
  if (months < 1) refuse(`period_from must not be after period_to (${last})`);
  if (months > SYNC_LIMITS.coverageMonthsMax)
    refuse(`period_from to period_to are ${months} months, more than ${SYNC_LIMITS.coverageMonthsMax}: ask for fewer`);
  return [first, last] as const;
};

export const handler = endpoint(contract, async ({ caller, query }) => {
  const { organizationId } = caller;
  const { limit, offset } = query;
  const range = readRange(query);
  const { page, total } = await findPage(
    organizationId,
    { limit, offset },
    { filter: {}, order: 'created', nowMs: nowMs() },
  );
  const coverage = await readCoverageOfMany(
    organizationId,
    page.map(({ connection }) => ({ connectionId: connection.id, scopes: listEnabledScopes(connection) })),
  );
  const data = page.map(({ connection }, at) => toConnectionCoverage(connection, coverage[at] ?? [], range));
  return { status: 200, body: toPage(data, total, limit, offset) };
});

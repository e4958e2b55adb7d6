import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { paginated } from '#shared/http/lists/pagination.ts';
import { ConnectionCoverageView } from '#shared/http/views/coverage.ts';
import { page } from '#shared/scopes/scope.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { period } from '#shared/values/fields.ts';

const { coverageMonthsDefault, coverageMonthsMax } = SYNC_LIMITS;

export const contract = defineEndpoint({
  id: 'list-coverage',
  method: 'GET',
  path: '/coverage',
  tag: 'Coverage',
  summary: 'List the coverage of all connections',
  description:
    'State and verdict of each month of each enabled scope, for all connections of the organization, newest created ' +
    'first. An outcome of the last second may be missing.',
  auth: 'read',
  query: z.strictObject({
    period_from: period()
      .optional()
      .describe(
        `First month. Default: ${coverageMonthsDefault - 1} months before the last. At most ${coverageMonthsMax} months.`,
      )
      .meta({ examples: ['2026-01'] }),
    period_to: period()
      .optional()
      .describe('Last month. Default: the current month (America/Santiago).')
      .meta({ examples: ['2026-10'] }),
    limit: page.limit.describe('Connections on a page.'),
    offset: page.offset.describe('Connections to skip.'),
  }),
  responses: { 200: paginated(ConnectionCoverageView) },
  errors: [],
  needs: ['table:read', 'connection-snapshots'],
});

import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { PeriodCoverageWithTotals } from '#shared/http/views/coverage.ts';

export const contract = defineEndpoint({
  id: 'get-period-coverage',
  method: 'GET',
  path: '/connections/{id}/coverage/{scope}/{period}',
  tag: 'Coverage',
  summary: 'Get the coverage of a month',
  description:
    'One month of a scope: what is stored of it, and by group the totals of the institution compared with those of the ' +
    'stored rows.',
  auth: 'read',
  params: { id: { unknown: 'connection_not_found' }, scope: { text: true }, period: { text: true } },
  responses: { 200: z.object({ data: PeriodCoverageWithTotals }) },
  errors: ['connection_not_found', 'coverage_not_found'],
  needs: ['table:read'],
});

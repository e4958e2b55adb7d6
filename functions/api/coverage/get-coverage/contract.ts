import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ScopeCoverageView } from '#shared/http/views/coverage.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';

const SCOPE_NAMES = [...new Set(SCOPES.map(({ name }) => name))].sort() as [string, ...string[]];

export const contract = defineEndpoint({
  id: 'get-coverage',
  method: 'GET',
  path: '/connections/{id}/coverage',
  tag: 'Coverage',
  summary: 'Get the coverage of a connection',
  description:
    'What is stored of each scope and month, when it was last read, and whether it matches the totals that the ' +
    'institution reports itself. One entry for each enabled scope.',
  auth: 'read',
  params: { id: { unknown: 'connection_not_found' } },
  query: z.strictObject({
    scope: z.enum(SCOPE_NAMES).optional().describe('Only this scope. The answer is empty if the scope is not enabled.'),
  }),
  responses: { 200: z.object({ data: z.array(ScopeCoverageView) }) },
  errors: ['connection_not_found'],
  needs: ['table:read'],
});

import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ExternalSource } from '#shared/http/views/external-source.ts';

export const contract = defineEndpoint({
  id: 'list-external-sources',
  method: 'GET',
  path: '/external-sources',
  tag: 'External sources',
  summary: 'List external sources',
  description: 'Every source that can be connected, with its scopes and the JSON Schemas a connection to it must fit.',
  auth: 'public',
  query: z.object({
    country: z.string().optional().describe('Exact country code, e.g. CL.'),
    type: z.string().optional().describe('Exact type, e.g. bank.'),
    is_active: z.boolean().optional().describe('Only active or only inactive ones; all when absent.'),
  }),
  responses: { 200: z.object({ data: z.array(ExternalSource) }) },
  errors: [],
  needs: [],
});

import * as z from 'zod';
import { defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'get-openapi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'System',
  summary: 'Get this description',
  description:
    'The machine-readable description of the service (OpenAPI 3.1.0). It changes only with a release: send its `ETag` ' +
    'back in `If-None-Match`, and the answer is 304 until then.',
  auth: 'public',
  responses: {
    200: z.looseObject({
      openapi: z.literal('3.1.0'),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.record(z.string(), z.unknown()),
    }),
    304: NO_BODY,
  },
  errors: [],
  needs: [],
});

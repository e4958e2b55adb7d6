import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';

export const contract = defineEndpoint({
  id: 'get-licitacion',
  method: 'GET',
  path: '/procurement/licitaciones/{codigo}',
  tag: 'Public procurement',
  summary: 'Get a tender',
  description:
    'The tender with this code as the procurement connections of the organization last read it. The code may be ' +
    'written in upper or lower case.',
  auth: 'key',
  params: { codigo: { text: true } },
  responses: { 200: z.object({ data: procurementLicitaciones.fullRow }) },
  errors: ['licitacion_not_found'],
  needs: ['table:read', 'documents:read'],
});

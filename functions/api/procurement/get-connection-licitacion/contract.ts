import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { CONNECTION, OF_CONNECTION } from '#shared/http/lists/tender-list-contract.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';

export const contract = defineEndpoint({
  id: 'get-connection-licitacion',
  method: 'GET',
  path: '/connections/{id}/licitaciones/{codigo}',
  tag: 'Public procurement',
  summary: 'Get a tender, with a session',
  description: 'Answers like `GET /procurement/licitaciones/{codigo}`.',
  auth: 'session',
  params: { ...CONNECTION, codigo: { text: true } },
  responses: { 200: z.object({ data: procurementLicitaciones.fullRow }) },
  errors: [...OF_CONNECTION, 'licitacion_not_found'],
  needs: ['table:read', 'documents:read'],
});

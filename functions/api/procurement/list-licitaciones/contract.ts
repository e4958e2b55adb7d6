import { defineEndpoint } from '#shared/http/contract.ts';
import { paginated } from '#shared/http/lists/pagination.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';

export const contract = defineEndpoint({
  id: 'list-licitaciones',
  method: 'GET',
  path: '/procurement/licitaciones',
  tag: 'Public procurement',
  summary: 'List tenders',
  description:
    'The tenders that the procurement connections of the organization have read, each once, as last read. Newest ' +
    '`fecha_publicacion` first; at the same instant by code, descending; tenders without it come last, and `from` ' +
    'and `to` leave them out. Only the answer about a single tender has `raw_ficha`.',
  auth: 'key',
  query: procurementLicitaciones.filters,
  responses: { 200: paginated(procurementLicitaciones.listRow) },
  errors: [],
  needs: ['table:read'],
});

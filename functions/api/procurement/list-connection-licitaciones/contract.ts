import { defineEndpoint } from '#shared/http/contract.ts';
import { paginated } from '#shared/http/lists/pagination.ts';
import { CONNECTION, OF_CONNECTION } from '#shared/http/lists/tender-list-contract.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';

export const contract = defineEndpoint({
  id: 'list-connection-licitaciones',
  method: 'GET',
  path: '/connections/{id}/licitaciones',
  tag: 'Public procurement',
  summary: 'List tenders, with a session',
  description:
    'Answers like `GET /procurement/licitaciones`, for the dashboard: the tenders that all procurement connections of the organization have read. The connection must be one of procurement.',
  auth: 'session',
  params: CONNECTION,
  query: procurementLicitaciones.filters,
  responses: { 200: paginated(procurementLicitaciones.listRow) },
  errors: OF_CONNECTION,
  needs: ['table:read'],
});

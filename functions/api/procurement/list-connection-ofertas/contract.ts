import { defineConnectionTenderList } from '#shared/http/lists/tender-list-contract.ts';
import { procurementOfertas } from '#shared/scopes/procurement-ofertas.ts';

export const contract = defineConnectionTenderList(procurementOfertas, {
  id: 'list-connection-ofertas',
  summary: 'List offers to a tender, with a session',
  description: 'Answers like `GET /procurement/licitaciones/{codigo}/ofertas`.',
});

import { defineConnectionTenderList } from '#shared/http/lists/tender-list-contract.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';

export const contract = defineConnectionTenderList(procurementDocumentos, {
  id: 'list-connection-documentos',
  summary: 'List documents of a tender, with a session',
  description: 'Answers like `GET /procurement/licitaciones/{codigo}/documentos`.',
});

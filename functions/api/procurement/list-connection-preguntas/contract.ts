import { defineConnectionTenderList } from '#shared/http/lists/tender-list-contract.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';

export const contract = defineConnectionTenderList(procurementPreguntas, {
  id: 'list-connection-preguntas',
  summary: 'List questions of a tender, with a session',
  description: 'Answers like `GET /procurement/licitaciones/{codigo}/preguntas`.',
});

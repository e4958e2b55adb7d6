import { defineTenderList } from '#shared/http/lists/tender-list-contract.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';

export const contract = defineTenderList(procurementPreguntas, {
  id: 'list-licitacion-preguntas',
  summary: 'List questions of a tender',
  description: 'Questions and answers of the forum of the tender, by number.',
});

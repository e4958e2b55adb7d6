import { defineTenderList } from '#shared/http/lists/tender-list-contract.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';

export const contract = defineTenderList(procurementDocumentos, {
  id: 'list-licitacion-documentos',
  summary: 'List documents of a tender',
  description: 'Documents attached to the tender, newest found first. Documents of offers are listed with their offer.',
});

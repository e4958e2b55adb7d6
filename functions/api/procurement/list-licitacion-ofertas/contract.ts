import { defineTenderList } from '#shared/http/lists/tender-list-contract.ts';
import { procurementOfertas } from '#shared/scopes/procurement-ofertas.ts';

export const contract = defineTenderList(procurementOfertas, {
  id: 'list-licitacion-ofertas',
  summary: 'List offers to a tender',
  description: 'Offers with their documents, newest found first. None are public before the opening.',
});

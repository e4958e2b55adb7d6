import { defineParts } from '#shared/http/lists/synchronized.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';

export const contract = defineParts(bankoneNominas, {
  id: 'list-bankone-nomina-pagos',
  tag: 'Bank one',
  summary: 'List payments of a batch (nómina) of bank one',
  description: 'Payments of one batch, by their line in it.',
  param: 'nominaId',
  notFound: 'nomina_not_found',
});

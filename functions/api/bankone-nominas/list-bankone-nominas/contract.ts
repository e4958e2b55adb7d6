import { defineList } from '#shared/http/lists/synchronized.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';

export const contract = defineList(bankoneNominas, {
  id: 'list-bankone-nominas',
  tag: 'Bank one',
  summary: 'List bulk payment batches (nóminas) of bank one',
  description:
    'Batches of payments (wages, suppliers, pensions), newest day of payment first within a month, newest month first.',
});

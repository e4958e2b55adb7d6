import { defineList } from '#shared/http/lists/synchronized.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';

export const contract = defineList(taxGuias, {
  id: 'list-tax-dispatch-guides',
  tag: 'Tax authority',
  summary: 'List dispatch guides',
  description:
    'Dispatch guides issued and received, newest issue date first within a month, newest month first. `q` looks for a ' +
    'part of the counterparty name, the folio or the RUT.',
});

import { defineList } from '#shared/http/lists/synchronized.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';

export const contract = defineList(taxBoletas, {
  id: 'list-tax-boletas',
  tag: 'Tax authority',
  summary: 'List daily summaries of sales receipts (boletas)',
  description:
    'One row per day and document type, newest day first. A row is overwritten by every sync of its month: ' +
    '`updated_at` is the time of the last one.',
});

import { defineList } from '#shared/http/lists/synchronized.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';

export const contract = defineList(taxRcv, {
  id: 'list-tax-rcv-documents',
  tag: 'Tax authority',
  summary: 'List purchase and sales documents (RCV)',
  description:
    "Documents of the tax authority's purchase and sales register, newest issue date first within a month, newest " +
    'month first.',
});

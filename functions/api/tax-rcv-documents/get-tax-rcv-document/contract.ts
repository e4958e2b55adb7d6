import { defineDocument } from '#shared/http/lists/synchronized.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';

export const contract = defineDocument(taxRcv, {
  id: 'get-tax-rcv-document',
  tag: 'Tax authority',
  summary: 'Get a purchase or sales document (RCV)',
  description: 'One document of the register in full, with the row as the tax authority shows it.',
  param: 'documentId',
  notFound: 'rcv_document_not_found',
});

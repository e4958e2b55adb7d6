import { defineDocument } from '#shared/http/lists/synchronized.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';

export const contract = defineDocument(taxGuias, {
  id: 'get-tax-dispatch-guide',
  tag: 'Tax authority',
  summary: 'Get a dispatch guide',
  description: 'One dispatch guide in full, with the row as the tax authority shows it.',
  param: 'guideId',
  notFound: 'dispatch_guide_not_found',
});

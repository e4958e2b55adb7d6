import { defineEndpoint } from '#shared/http/contract.ts';
import { DocumentLink } from '#shared/http/lists/tender-list-contract.ts';

export const contract = defineEndpoint({
  id: 'get-documento-link',
  method: 'GET',
  path: '/procurement/documentos/{documentoId}/link',
  tag: 'Public procurement',
  summary: 'Get a link to a document of a tender',
  description:
    'The signed URL that `download` redirects to, for a page that cannot follow the redirect with its key: open it within one minute. The id is that of a document of a tender or of an offer. A document whose file could not be fetched is answered as an unknown one.',
  auth: 'key',
  params: { documentoId: { unknown: 'documento_not_found' } },
  responses: { 200: DocumentLink },
  errors: ['documento_not_found'],
  needs: ['table:read', 'documents:read'],
});

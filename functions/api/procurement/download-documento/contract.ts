import { defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'download-documento',
  method: 'GET',
  path: '/procurement/documentos/{documentoId}/download',
  tag: 'Public procurement',
  summary: 'Download a document of a tender',
  description:
    'Redirects to the stored file by a signed URL that is valid for one minute. The id is that of a document of a ' +
    'tender or of an offer. A document whose file could not be fetched is answered as an unknown one.',
  auth: 'key',
  params: { documentoId: { unknown: 'documento_not_found' } },
  responses: { 302: NO_BODY },
  errors: ['documento_not_found'],
  needs: ['table:read', 'documents:read'],
});

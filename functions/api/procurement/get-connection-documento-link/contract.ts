import { defineEndpoint } from '#shared/http/contract.ts';
import { CONNECTION, DocumentLink, OF_CONNECTION } from '#shared/http/lists/tender-list-contract.ts';

export const contract = defineEndpoint({
  id: 'get-connection-documento-link',
  method: 'GET',
  path: '/connections/{id}/licitaciones/documentos/{documentoId}/link',
  tag: 'Public procurement',
  summary: 'Get a link to a document of a tender, with a session',
  description: 'Answers like `GET /procurement/documentos/{documentoId}/link`.',
  auth: 'session',
  params: { ...CONNECTION, documentoId: { unknown: 'documento_not_found' } },
  responses: { 200: DocumentLink },
  errors: [...OF_CONNECTION, 'documento_not_found'],
  needs: ['table:read', 'documents:read'],
});

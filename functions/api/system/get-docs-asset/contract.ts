import { bytes, defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'get-docs-asset',
  method: 'GET',
  basePath: '',
  path: '/docs/{file}',
  tag: 'System',
  summary: 'Get a part of the page of the description',
  description: 'Scripts and styles of `/docs`.',
  auth: 'public',
  params: { file: { text: true } },
  responses: { 200: bytes(), 304: NO_BODY },
  errors: ['not_found'],
  needs: [],
});

import { bytes, defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'get-llms',
  method: 'GET',
  basePath: '',
  path: '/llms.txt',
  tag: 'System',
  summary: 'List the guides',
  description: 'Addresses of the Markdown of each page of `/docs`, for language models.',
  auth: 'public',
  responses: { 200: bytes(), 304: NO_BODY },
  errors: [],
  needs: [],
});

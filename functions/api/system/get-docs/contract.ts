import { bytes, defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'get-docs',
  method: 'GET',
  basePath: '',
  path: '/docs',
  tag: 'System',
  summary: 'Read the guides',
  description: 'The first page of the guides. It needs no script, and loads nothing from other sites.',
  auth: 'public',
  responses: { 200: bytes(), 304: NO_BODY },
  errors: [],
  contentSecurityPolicy: { 'style-src': "'self'", 'img-src': 'data:' },
  needs: [],
});

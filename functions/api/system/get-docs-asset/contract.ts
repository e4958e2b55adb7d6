import { bytes, defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'get-docs-asset',
  method: 'GET',
  basePath: '',
  path: '/docs/{file}',
  tag: 'System',
  summary: 'Get a guide or a part of a page',
  description: 'Guides, as HTML and as Markdown (`.md`), and scripts and styles of their pages.',
  auth: 'public',
  params: { file: { text: true } },
  responses: { 200: bytes(), 304: NO_BODY },
  errors: ['not_found'],
  contentSecurityPolicy: { 'style-src': "'self'", 'img-src': 'data:' },
  needs: [],
});

import { bytes, defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'get-docs-try',
  method: 'GET',
  basePath: '',
  path: '/docs/try',
  tag: 'System',
  summary: 'Try the operations',
  description: 'A page for people that shows the description and lets them try it. It loads nothing from other sites.',
  auth: 'public',
  responses: { 200: bytes(), 304: NO_BODY },
  errors: [],
  // `style-src`: the renderer sets `style` attributes. `img-src`: the icons in the renderer's style sheet are data
  // URLs.
  contentSecurityPolicy: {
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
  },
  needs: [],
});

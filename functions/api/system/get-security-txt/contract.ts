import { bytes, defineEndpoint } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'get-security-txt',
  method: 'GET',
  basePath: '',
  path: '/.well-known/security.txt',
  tag: 'System',
  summary: 'Say where to report a vulnerability',
  description: 'Contact of the stage, in the form of RFC 9116.',
  auth: 'public',
  responses: { 200: bytes() },
  errors: [],
  needs: ['security-contact'],
});

import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ConnectLinkView } from '#shared/http/views/connect-link.ts';

export const contract = defineEndpoint({
  id: 'get-connect-link',
  method: 'GET',
  path: '/connect-links/{id}',
  tag: 'Connect links',
  summary: 'Get a connect link',
  description: 'Its address and secret are never included.',
  auth: 'manage',
  params: { id: { unknown: 'connect_link_not_found' } },
  responses: { 200: z.object({ data: ConnectLinkView }) },
  errors: ['connect_link_not_found'],
  needs: ['table:read'],
});

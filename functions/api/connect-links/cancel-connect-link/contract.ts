import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ConnectLinkView } from '#shared/http/views/connect-link.ts';

export const contract = defineEndpoint({
  id: 'cancel-connect-link',
  method: 'DELETE',
  path: '/connect-links/{id}',
  tag: 'Connect links',
  summary: 'Cancel a connect link',
  description:
    'From the next request on its address opens nothing, and a customer who has it open is refused. Connections that it ' +
    'made stay, and a sync that checks credentials already goes on. Cancelling a link that ended changes nothing and returns it.',
  auth: 'session',
  params: { id: { unknown: 'connect_link_not_found' } },
  responses: { 200: z.object({ data: ConnectLinkView }) },
  errors: ['connect_link_not_found'],
  needs: ['table:read', 'table:write'],
});

import * as z from 'zod';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import { defineEndpoint } from '#shared/http/contract.ts';
import { NewConnectLinkView } from '#shared/http/views/connect-link.ts';
import { NewConnectLink } from '#shared/http/views/connect-link-body.ts';

export const contract = defineEndpoint({
  id: 'create-connect-link',
  method: 'POST',
  path: '/connect-links',
  tag: 'Connect links',
  summary: 'Make a link with which a customer connects or repairs a login',
  description:
    'The customer opens the address, reads who asks and for what, and types the credentials; nobody else sees them. Only ' +
    'this answer contains the address, and the secret of a standing link. Whoever has the secret can have your ' +
    `organization connect as many logins as the link allows. At most ${CONNECT_LINK_LIMITS.openLinksPerOrganizationMax} open links an organization.`,
  auth: 'session',
  body: NewConnectLink,
  secretResponse: 'made the connect link',
  responses: { 201: z.object({ data: NewConnectLinkView }) },
  errors: ['connection_not_found', 'connection_disabled', 'connect_link_limit_reached'],
  needs: ['table:read', 'table:write', 'link-secrets:encrypt', 'public-origin'],
});

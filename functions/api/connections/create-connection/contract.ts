import { defineEndpoint } from '#shared/http/contract.ts';
import { Connection } from '#shared/http/views/connection.ts';
import { NewConnection, OWN_METADATA_HINTS } from '#shared/http/views/connection-body.ts';

export const contract = defineEndpoint({
  id: 'create-connection',
  method: 'POST',
  path: '/connections',
  tag: 'Connections',
  summary: 'Create a connection',
  description: 'Links the organization to an external source. Credentials are not tried here but by the first sync.',
  auth: 'session',
  body: NewConnection,
  bodyHints: OWN_METADATA_HINTS,
  responses: { 201: Connection },
  errors: [],
  needs: ['table:read', 'table:write', 'connection-secrets:encrypt'],
});

import { defineEndpoint } from '#shared/http/contract.ts';
import { CreatedConnection } from '#shared/http/views/connection.ts';
import { NewConnection, OWN_METADATA_HINTS } from '#shared/http/views/connection-body.ts';

export const contract = defineEndpoint({
  id: 'create-connection',
  method: 'POST',
  path: '/connections',
  tag: 'Connections',
  summary: 'Create a connection',
  description:
    'Links the organization to an external source. Credentials are not tried here but by the first sync. A second ' +
    'connection of one login and company is created, and `warnings` names the other one.',
  auth: 'session',
  body: NewConnection,
  bodyHints: OWN_METADATA_HINTS,
  responses: { 201: CreatedConnection },
  errors: [],
  needs: ['table:read', 'table:write', 'connection-secrets:encrypt'],
});

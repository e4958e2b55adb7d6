import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { Connection } from '#shared/http/views/connection.ts';
import { ConnectionChanges, OWN_METADATA_HINTS } from '#shared/http/views/connection-body.ts';

export const contract = defineEndpoint({
  id: 'update-connection',
  method: 'PATCH',
  path: '/connections/{id}',
  tag: 'Connections',
  summary: 'Change a connection',
  description:
    'Changes what is sent and leaves the rest. New credentials take a connection out of `error`; a disabled one is ' +
    'not synchronized, and when it is enabled again its schedule restarts one period later. A connection keeps ' +
    'its company as soon as a sync may have stored rows.',
  auth: 'session',
  params: { id: { unknown: 'connection_not_found' } },
  body: ConnectionChanges,
  bodyHints: OWN_METADATA_HINTS,
  responses: { 200: z.object({ data: Connection }) },
  errors: ['connection_not_found', 'connection_other_company'],
  needs: ['table:read', 'table:write', 'table:delete', 'connection-secrets:encrypt', 'schedules:write'],
});

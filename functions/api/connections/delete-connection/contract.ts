import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { uuid } from '#shared/values/fields.ts';

export const contract = defineEndpoint({
  id: 'delete-connection',
  method: 'DELETE',
  path: '/connections/{id}',
  tag: 'Connections',
  summary: 'Delete a connection',
  description:
    'Deletes the connection and its schedule at once; its rows, raw answers, runs and credentials are deleted in the ' +
    'background. Refused while a sync of the connection is queued or running.',
  auth: 'session',
  params: { id: { unknown: 'connection_not_found' } },
  responses: { 200: z.object({ data: z.object({ id: uuid(), deleted: z.literal(true) }) }) },
  errors: ['connection_not_found', 'connection_sync_in_progress'],
  needs: ['table:read', 'table:write', 'table:delete', 'send:purges', 'schedules:delete'],
});

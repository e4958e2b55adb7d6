import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { Connection } from '#shared/http/views/connection.ts';

export const contract = defineEndpoint({
  id: 'get-connection',
  method: 'GET',
  path: '/connections/{id}',
  tag: 'Connections',
  summary: 'Get a connection',
  description: 'One connection with its enabled scopes, its schedule and the outcome of its latest syncs.',
  auth: 'read',
  params: { id: { unknown: 'connection_not_found' } },
  responses: { 200: z.object({ data: Connection }) },
  errors: ['connection_not_found'],
  needs: ['table:read'],
});

import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { Connection } from '#shared/http/views/connection.ts';

export const contract = defineEndpoint({
  id: 'list-connections',
  method: 'GET',
  path: '/connections',
  tag: 'Connections',
  summary: 'List connections',
  description: 'The connections of the organization, newest created first.',
  auth: 'read',
  responses: { 200: z.object({ data: z.array(Connection) }) },
  errors: [],
  needs: ['table:read'],
});

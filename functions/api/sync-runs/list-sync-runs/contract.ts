import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { SyncRunView } from '#shared/http/views/sync-run.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';

export const contract = defineEndpoint({
  id: 'list-sync-runs',
  method: 'GET',
  path: '/connections/{id}/sync-runs',
  tag: 'Sync',
  summary: 'List sync runs',
  description: `The last ${SYNC_LIMITS.runsListed} sync runs of the connection, newest first, with the outcome of each scope.`,
  auth: 'read',
  params: { id: { unknown: 'connection_not_found' } },
  responses: { 200: z.object({ data: z.array(SyncRunView).max(SYNC_LIMITS.runsListed) }) },
  errors: ['connection_not_found'],
  needs: ['table:read'],
});

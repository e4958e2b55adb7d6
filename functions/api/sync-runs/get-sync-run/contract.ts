import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { SyncRunWithInput } from '#shared/http/views/sync-run.ts';

export const contract = defineEndpoint({
  id: 'get-sync-run',
  method: 'GET',
  path: '/connections/{id}/sync-runs/{runId}',
  tag: 'Sync',
  summary: 'Get a sync run',
  description: 'One sync run: its status, the outcome of each scope, its progress, and its input.',
  auth: 'read',
  params: { id: { unknown: 'connection_not_found' }, runId: { uuid: true } },
  responses: { 200: z.object({ data: SyncRunWithInput }) },
  errors: ['connection_not_found', 'sync_run_not_found'],
  needs: ['table:read'],
});

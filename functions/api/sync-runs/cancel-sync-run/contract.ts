import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { SyncRunView } from '#shared/http/views/sync-run.ts';

export const contract = defineEndpoint({
  id: 'cancel-sync-run',
  method: 'POST',
  path: '/connections/{id}/sync-runs/{runId}/cancel',
  tag: 'Sync',
  summary: 'Cancel a sync run',
  description:
    'Ends a queued or running sync; what it stored so far stays. A cancelled run never restarts and sends no webhook. ' +
    'Cancelling a finished run changes nothing and returns it.',
  auth: 'manage',
  params: { id: { unknown: 'connection_not_found' }, runId: { uuid: true } },
  bodyOptional: true,
  responses: { 200: z.object({ data: SyncRunView }) },
  errors: ['connection_not_found', 'sync_run_not_found'],
  needs: ['table:read', 'table:write'],
});

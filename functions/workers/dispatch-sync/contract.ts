import { defineWorker } from '#shared/messaging/contract.ts';

export const contract = defineWorker({
  id: 'dispatch-sync',
  trigger: { queue: 'sync-requests', batchSize: 10 },
  timeoutSeconds: 30,
  memoryMb: 256,
  needs: ['table:read', 'table:write', 'send:scopes'],
});

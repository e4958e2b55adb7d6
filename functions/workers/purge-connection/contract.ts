import { defineWorker } from '#shared/messaging/contract.ts';

export const contract = defineWorker({
  id: 'purge-connection',
  trigger: { queue: 'purges', batchSize: 1 },
  timeoutSeconds: 300,
  memoryMb: 256,
  needs: [
    'table:read',
    'table:write',
    'table:delete',
    'table:batch',
    'raw-answers:delete',
    'documents:delete',
    'schedules:delete',
    'send:purges',
  ],
});

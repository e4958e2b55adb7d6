import { defineWorker } from '#shared/messaging/contract.ts';

export const contract = defineWorker({
  id: 'deliver-webhook',
  trigger: { queue: 'webhook-deliveries', batchSize: 10 },
  timeoutSeconds: 60,
  memoryMb: 256,
  needs: ['table:read', 'table:write', 'webhook-secrets:decrypt', 'send:webhook-deliveries', 'webhook-policy'],
});

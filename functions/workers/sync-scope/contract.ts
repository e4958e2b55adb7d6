import { defineWorker } from '#shared/messaging/contract.ts';

/** This worker is built once per scope of every source (`sync-tax-rcv` and so on), and each build has its own queue. */
export const contract = defineWorker({
  id: 'sync-scope',
  trigger: { queue: 'scope-queues', batchSize: 10, windowSeconds: 5 },
  timeoutSeconds: 300,
  memoryMb: 512,
  needs: [
    'table:read',
    'table:write',
    'table:delete',
    'table:batch',
    'raw-answers:read',
    'raw-answers:write',
    'documents:write',
    'source-secrets:decrypt',
    'source-secrets:encrypt',
    'sources',
    'send:scopes',
    'send:webhook-deliveries',
  ],
});

import { defineWorker } from '#shared/messaging/contract.ts';

export const contract = defineWorker({
  id: 'sweep',
  trigger: { schedule: 'rate(1 minute)' },
  timeoutSeconds: 55,
  memoryMb: 512,
  needs: [
    'table:read',
    'table:write',
    'table:delete',
    'table:batch',
    'send:sync-requests',
    'send:scopes',
    'measure:scopes',
    'send:webhook-deliveries',
    'send:purges',
    'schedules:write',
    'schedules:list',
  ],
});

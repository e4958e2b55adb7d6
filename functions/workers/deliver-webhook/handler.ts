import { DeliveryDue } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';
import { deliver, readContexts } from '#shared/webhooks/deliver.ts';
import { contract } from './contract.ts';

export const handler = worker(contract.id, DeliveryDue, deliver, readContexts);

import { DeliveryDue } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';
import { contract } from './contract.ts';
import { deliver, readTurns } from './deliver.ts';

export const handler = worker(contract.id, DeliveryDue, deliver, readTurns);

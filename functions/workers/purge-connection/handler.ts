/** Trigger: `purges`. What is left of a deleted connection goes, step by step; a stale message does nothing. */
import { purgeConnection } from '#shared/engine/purge.ts';
import { PurgeRequest } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';

export const handler = worker('purge-connection', PurgeRequest, purgeConnection);

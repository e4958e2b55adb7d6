/** Trigger: `purges`. What is left of a deleted connection goes, step by step; a stale message does nothing. */

import { PurgeRequest } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';
import { purgeConnection } from '#shared/recovery/purge-connection.ts';

export const handler = worker('purge-connection', PurgeRequest, purgeConnection);

/**
 * Trigger: `purges`. Deletes the remaining data of a deleted connection, step by step; a stale message has no effect.
 */

import { PurgeRequest } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';
import { purgeConnection } from '#shared/recovery/purge-connection.ts';

export const handler = worker('purge-connection', PurgeRequest, purgeConnection);

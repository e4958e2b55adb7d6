/** Sends the message that makes a worker take a task. */

import { sendTask } from '#shared/messaging/send.ts';
import type { SyncTask } from './task.rules.ts';

export const enqueueTask = async (task: SyncTask, delayMs: number): Promise<void> => {
  const { organizationId, connectionId, runId, scope, generation, source } = task;
  const message = { kind: 'work', organizationId, connectionId, runId, scope, generation } as const;
  await sendTask(source, scope, message, { delaySeconds: delayMs / 1000 });
};

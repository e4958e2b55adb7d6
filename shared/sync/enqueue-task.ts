/** The message that a scope of a run wants a worker. */

import { sendScopeWork } from '#shared/messaging/send.ts';
import type { ScopeWork } from './task.rules.ts';

export const hintWork = async (work: ScopeWork, delayMs: number): Promise<void> => {
  const { organizationId, connectionId, runId, scope, hop, source } = work;
  const message = { kind: 'work', organizationId, connectionId, runId, scope, hop } as const;
  await sendScopeWork(source, scope, message, { delaySeconds: delayMs / 1000 });
};

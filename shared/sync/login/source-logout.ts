/**
 * Logs out a stored session. Trigger: the due entry of the session has passed. If a worker holds the session's slot,
 * the session is in use and stays.
 */

import type { TaskMessage } from '#shared/messaging/queues.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import type { SourceAdapter } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { releaseSlot, takeSlot } from '#shared/sync/task/slot.store.ts';
import { checkUnexpired, type SourceAccount } from '#shared/table/lease.ts';
import { makeIo } from './source-io.ts';
import { logOut } from './source-login.ts';
import * as sessions from './source-session.store.ts';
import { wakeForSlot } from './wake-waiters.ts';

type LogoutMessage = Extract<TaskMessage, { kind: 'logout' }>;

export const logOutKept = async (message: LogoutMessage, source: SourceAdapter): Promise<void> => {
  const { organizationId, slot } = message;
  const login: SourceAccount = {
    source: message.source,
    key: message.login,
    sessionsMax: source.manifest.sessionsPerLogin,
  };
  const holder = `logout:${newId()}`;
  const expiresAtMs = nowMs() + SYNC_LIMITS.leaseMs;
  const taken = await takeSlot(organizationId, login, slot, holder);
  if (!taken) return;
  try {
    const turnMs = taken.turns.nextOnEach(nowMs(), { isLast: true });
    // The next logout call is not allowed yet. The logout is postponed, so that no task waits for the slot.
    if (turnMs - nowMs() > SYNC_LIMITS.paceWaitMsMax) return await sessions.postpone(organizationId, taken, turnMs);
    const signal = AbortSignal.timeout(source.manifest.callTimeoutMs);
    const visit = { signal, credentials: {}, turns: taken.turns, checkSlot: () => checkUnexpired({ expiresAtMs }) };
    await logOut(organizationId, taken, source, makeIo(source.manifest, visit));
  } finally {
    await releaseSlot(organizationId, taken, holder);
    await wakeForSlot(organizationId, login);
  }
};

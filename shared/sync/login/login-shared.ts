/** The first scope of a run reports other connections that read the same company with the same login. */
import { loginSharedCode } from '#shared/connections/attention.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { listLoginSharers } from '#shared/connections/connection-index.store.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { addNotices, type SyncTask } from '#shared/sync/task/task.rules.ts';
import type { OpenedCredentials } from './open-credentials.ts';

/**
 * Stores the account of the connection if it is not stored yet, and returns the changes of a scope's attempt with the
 * notice.
 */
export const reportSharedLogin = async (
  task: SyncTask,
  changes: Partial<SyncTask>,
  { connection, run, opened }: { connection: Connection; run: SyncRun; opened: OpenedCredentials | { fault: unknown } },
): Promise<Partial<SyncTask>> => {
  if ('fault' in opened) return changes;
  const { accountKey, version } = opened;
  await connections.storeAccount(connection, version, accountKey);
  const code = loginSharedCode(connection.source);
  const isReported = task.notices.some((notice) => notice.code === code);
  if (isReported || run.scopes[0] !== task.scope) return changes;
  const sharers = await listLoginSharers({ ...connection, accountKey });
  if (sharers.length === 0) return changes;
  const message = `The same login and company are also connected as ${sharers.join(', ')}.`;
  const notices = addNotices(
    changes.notices ?? task.notices,
    [{ code, message, params: { connections: sharers } }],
    SYNC_LIMITS.noticesPerScopeMax,
  );
  return { ...changes, notices };
};

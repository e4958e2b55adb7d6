/** Shows one connection, with what other connections mean for it. */
import type { Connection } from '#shared/connections/connection.rules.ts';
import { listLoginSharers } from '#shared/connections/connection-index.store.ts';
import { toConnection } from '#shared/http/views/connection.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import type { ConnectionId } from '#shared/values/ids.ts';

export const showConnection = async (
  connection: Connection,
): Promise<{ shown: ReturnType<typeof toConnection>; sharers: ConnectionId[] }> => {
  const sharers = await listLoginSharers(connection);
  const facts = { nowMs: nowMs(), isLoginShared: sharers.length > 0 };
  return { shown: toConnection(connection, requireManifest(connection.source), facts), sharers };
};

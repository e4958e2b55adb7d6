/**
 * Changes a connection that other requests may change at the same time. Each attempt reads the connection and decides
 * again.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Cause } from '#shared/audit/audit.rules.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import type { Connection, ConnectionChange } from './connection.rules.ts';
import * as connections from './connection.store.ts';

/** Returns the changes that differ from the connection, so that repeating a request writes nothing. */
const effectiveChange = (connection: Connection, change: ConnectionChange): ConnectionChange =>
  Object.fromEntries(
    Object.entries(change).filter(
      ([field, value]) => field === 'credentials' || !isDeepStrictEqual(value, connection[field as keyof Connection]),
    ),
  );

/**
 * Changes the connection by `decide`, which returns the changes; if none differs from the connection, nothing is
 * written. Returns undefined if the connection does not exist.
 *
 * @throws ConnectionConflict if other requests were faster in every attempt
 */
export const changeConnection = async (
  organizationId: OrganizationId,
  id: ConnectionId,
  decide: (connection: Connection) => Promise<ConnectionChange>,
  cause: Cause,
): Promise<{ before: Connection; after: Connection } | undefined> =>
  retryOnConflict([connections.ConnectionConflict], CONNECTION_LIMITS.connectionChangeAttemptsMax, async () => {
    const before = await connections.find(organizationId, id);
    if (!before) return undefined;
    const changes = effectiveChange(before, await decide(before));
    if (Object.keys(changes).length === 0) return { before, after: before };
    await connections.change(before, changes, cause);
    const after = await connections.find(organizationId, id);
    return after && { before, after };
  });

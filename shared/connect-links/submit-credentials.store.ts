/**
 * Stores the credentials that a customer sends through a link. One transaction writes the connection or its new
 * credentials, the sync that tries them, the visit, the link and the event of the audit trail. So there are no
 * credentials without their connection, and one reference never makes two connections.
 */
import type { Cause } from '#shared/audit/audit.rules.ts';
import type { Connection, ConnectionChange } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { linkKeys } from '#shared/table/link-keys.ts';
import type * as table from '#shared/table/table.ts';
import { CONNECT_LINK_LIMITS } from './limits.ts';
import type { ConnectLink } from './link.rules.ts';
import { linkItem } from './link-item.ts';
import type { LinkVisit } from './visit.rules.ts';
import { VisitOver, visitItem, visitKey } from './visit.store.ts';

const isOpen = 'attribute_exists(pk) AND attribute_not_exists(#cancelled_at)';

/** Names the newest sync in a link for one connection or repair, so that the link's status derives from the sync. */
const newestRun = (link: ConnectLink, { connectionId, id: runId }: SyncRun) =>
  link.kind === 'standing' ? {} : { set: linkItem.toChanges({ connectionId, runId }) };

/** Returns the change of a link that makes a connection. It refuses a link that ended or made all its connections. */
const connectionMade = (link: ConnectLink, run: SyncRun): table.TransactItem => ({
  update: linkKeys.connectLink(link.organizationId, link.id),
  add: { connections_made: 1 },
  if: `${isOpen} AND #connections_made < :max`,
  values: { max: link.connectionsMax ?? 1 },
  ...newestRun(link, run),
  otherwise: () => new VisitOver(),
});

/** Returns the change of the visit, if nobody sent credentials since it was read. */
const submitted = (visit: LinkVisit, run: SyncRun, credentialsVersion: number): table.TransactItem => ({
  update: visitKey(visit),
  set: visitItem.toChanges({ connectionId: run.connectionId, runId: run.id, credentialsVersion }),
  add: { submissions: 1 },
  if: '#session_sha256 = :session AND #submissions = :submissions AND #submissions < :max',
  values: {
    session: visit.sessionSha256,
    submissions: visit.submissions,
    max: CONNECT_LINK_LIMITS.submissionsMax,
  },
  otherwise: () => new VisitOver(),
});

/**
 * Creates the connection of a visit, with the sync that tries its credentials.
 *
 * @param connection has the run among its open runs
 * @throws VisitOver if the link or the session ended, or credentials were sent in the meantime
 * @throws TooManyConnections
 */
export const createConnection = async (
  { link, visit }: { link: ConnectLink; visit: LinkVisit },
  { connection, ciphertext, run }: { connection: Connection; ciphertext: Uint8Array; run: SyncRun },
  cause: Cause,
): Promise<void> =>
  connections.create(connection, ciphertext, cause, [
    connectionMade(link, run),
    submitted(visit, run, connection.credentialsVersion),
    runs.putQueued(run),
  ]);

/**
 * Replaces the credentials of a visit's connection, and starts the sync that tries them.
 *
 * @throws VisitOver if the link or the session ended, or credentials were sent in the meantime
 * @throws ConnectionConflict if another request changed the connection in the meantime
 */
export const replaceCredentials = async (
  { link, visit }: { link: ConnectLink; visit: LinkVisit },
  { connection, change, run }: { connection: Connection; change: ConnectionChange; run: SyncRun },
  cause: Cause,
): Promise<void> => {
  const stillOpen: table.TransactItem = {
    ...(link.kind === 'standing'
      ? { check: linkKeys.connectLink(link.organizationId, link.id) }
      : { update: linkKeys.connectLink(link.organizationId, link.id), ...newestRun(link, run) }),
    if: isOpen,
    otherwise: () => new VisitOver(),
  };
  const items = [stillOpen, submitted(visit, run, connection.credentialsVersion + 1), runs.putQueued(run)];
  await connections.change(connection, change, cause, { openRun: run.id, items });
};

/**
 * Stores connections. Every function takes the organization as its first argument, so an id of another organization
 * finds nothing.
 */

import * as z from 'zod';
import type { Cause } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { dueEntry } from '#shared/table/due-keys.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { stillAsRead } from '#shared/table/expressions.ts';
import { bytes, item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError, VersionConflict } from '#shared/values/app-error.ts';
import { ConflictError } from '#shared/values/conflicts.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { noteChanged } from './changed-connections.store.ts';
import { type Connection, type ConnectionChange, ConnectionSchema, changedParts } from './connection.rules.ts';
import { createEntries, moveEntries } from './connection-index.store.ts';
import { whileCounted } from './count-connections.store.ts';
import { CONNECTION_LIMITS } from './limits.ts';
import { changesList } from './listed-connection.rules.ts';
import { purgeItem } from './purge-item.ts';

const EXISTS = 'attribute_exists(pk)';

export const connectionItem = item('connection', ConnectionSchema, { sets: ['openRuns', 'syncedScopes'] });

export const credentialsItem = item('credentials', z.object({ ciphertext: bytes(), version: z.number() }));

const putCredentials = (
  { organizationId, id }: Pick<Connection, 'organizationId' | 'id'>,
  ciphertext: Uint8Array,
  version: number,
): table.TransactItem => ({
  put: { ...keys.credentials(organizationId, id), ...credentialsItem.toItem({ ciphertext, version }) },
});

/**
 * Stores a connection. The credentials are a separate item, so that a list of connections never reads them.
 * @param also further items of the transaction
 */
export const create = async (
  connection: Connection,
  credentials: Uint8Array,
  cause: Cause,
  also: readonly table.TransactItem[] = [],
): Promise<void> => {
  const { organizationId, id } = connection;
  await whileCounted(organizationId, (counting) =>
    audit.commit(
      [
        {
          put: { ...keys.connection(organizationId, id), ...connectionItem.toItem(connection) },
          if: 'attribute_not_exists(pk)',
          otherwise: () => new ConnectionExists(),
        },
        putCredentials(connection, credentials, 1),
        ...createEntries(connection),
        noteChanged(organizationId, id),
        counting.one,
        ...also,
      ],
      audit.newEvent({ organizationId, action: 'connection.created', targetId: id }, cause),
    ),
  );
};

/**
 * The connection exists: an earlier call wrote it, but its response was lost. The caller returns the existing
 * connection.
 */
export class ConnectionExists extends AppError {}

export const find = async (organizationId: OrganizationId, id: ConnectionId): Promise<Connection | undefined> => {
  const found = await table.get(keys.connection(organizationId, id));
  return found && connectionItem.fromItem(found);
};

/** Returns the connections that exist, by id. */
export const findMany = async (
  ids: readonly { organizationId: OrganizationId; connectionId: ConnectionId }[],
): Promise<Map<ConnectionId, Connection>> => {
  const items = await table.batchGet(
    ids.map(({ organizationId, connectionId }) => keys.connection(organizationId, connectionId)),
  );
  return new Map(items.map(connectionItem.fromItem).map((connection) => [connection.id, connection]));
};

/** Returns all connections of the organization, newest creation first: ids and with them keys ascend with time. */
export const list = async (organizationId: OrganizationId): Promise<Connection[]> => {
  const { pk, prefix } = keys.connections(organizationId);
  return (await table.query(pk, { prefix, descending: true })).map(connectionItem.fromItem);
};

/** Returns the encrypted credentials and their version. */
export const findCredentials = async (
  organizationId: OrganizationId,
  id: ConnectionId,
): Promise<{ ciphertext: Uint8Array; version: number } | undefined> => {
  const found = await table.get(keys.credentials(organizationId, id));
  return found && credentialsItem.fromItem(found);
};

/** What a change of a connection writes in the same transaction. */
export interface WrittenAlong {
  /** Id of a run that the change starts. */
  openRun?: string;
  items?: readonly table.TransactItem[];
}

/**
 * Writes the changes if status, schedule, credentials and the changed fields are as the caller read them, so that two
 * concurrent changes do not undo each other, and no event reports what another request changed. New credentials are
 * written only if no run began or ended meanwhile. A changed schedule leaves a due entry until EventBridge Scheduler has
 * accepted the schedule.
 */
export const change = async (
  connection: Connection,
  changes: ConnectionChange,
  cause: Cause,
  { openRun, items = [] }: WrittenAlong = {},
): Promise<void> => {
  const { organizationId, id } = connection;
  const { credentials, ...fields } = changes;
  const key = keys.connection(organizationId, id);
  const set = {
    ...(changes.schedule ? dueEntry(key, new Date(nowMs() + MESSAGING_LIMITS.messageGraceMs).toISOString()) : {}),
    ...connectionItem.toChanges({
      ...fields,
      credentialsVersion: credentials && credentials.expectedVersion + 1,
      accountKey: credentials?.accountKey,
    }),
  };
  const { status, credentialsVersion, schedule } = connection;
  const changing = Object.fromEntries(
    Object.keys(fields).map((field) => [field, connection[field as keyof Connection]]),
  );
  const asRead = stillAsRead({
    ...connectionItem.toChanges({ ...changing, status, credentialsVersion }),
    ...(credentials ? readSyncState(connection) : {}),
  });
  const condition = {
    if: `${EXISTS} AND ${asRead.if} AND #schedule.#revision = :revision`,
    values: { ...asRead.values, revision: schedule.revision },
    otherwise: () => new ConnectionConflict(),
  };
  const changed = changedParts(connection, changes);
  await audit.commit(
    [
      {
        update: key,
        set,
        remove: [
          ...(credentials ? staleAfter(credentials) : []),
          ...(changes.enabledScopes ? ['last_complete_period'] : []),
        ],
        add: {
          ...(changes.enabledScopes ? { coverage_revision: 1 } : {}),
          ...(openRun === undefined ? {} : { open_runs: new Set([openRun]) }),
        },
        ...condition,
      },
      ...(credentials ? [putCredentials(connection, credentials.ciphertext, credentials.expectedVersion + 1)] : []),
      ...moveEntries(connection, {
        ...connection,
        ...fields,
        ...(credentials && { accountKey: credentials.accountKey }),
      }),
      ...(changesList(changes) ? [noteChanged(organizationId, id)] : []),
      ...items,
    ],
    audit.newEvent({ organizationId, action: 'connection.updated', targetId: id, changed }, cause),
  );
};

/** Returns the account, and what each begin and end of a run changes: a run stores rows of the account's company. */
const readSyncState = ({ accountKey, openRuns, coverageRevision }: Connection) => ({
  account_key: accountKey,
  open_runs: openRuns.length === 0 ? undefined : new Set(openRuns),
  coverage_revision: coverageRevision,
});

/** Attributes that new credentials remove. */
const staleAfter = ({ accountKey }: NonNullable<ConnectionChange['credentials']>): string[] => [
  'last_error_code',
  ...(accountKey === undefined ? ['account_key'] : []),
];

/**
 * Stores the account of a connection whose stored account is absent or outdated. Writes nothing if a request changed the
 * connection in the meantime; the next run stores it.
 * @param version version of the credentials that gave the key
 */
export const storeAccount = async (connection: Connection, version: number, key: string | undefined): Promise<void> => {
  const { organizationId, id, accountKey } = connection;
  if (accountKey === key) return;
  const asRead = stillAsRead({ credentials_version: version, account_key: accountKey });
  const change: table.TransactItem = {
    update: keys.connection(organizationId, id),
    ...(key === undefined ? { remove: ['account_key'] } : { set: { account_key: key } }),
    if: `${EXISTS} AND ${asRead.if}`,
    values: asRead.values,
    otherwise: () => new ConnectionConflict(),
  };
  try {
    await table.transact([
      change,
      ...moveEntries(connection, { ...connection, accountKey: key }),
      noteChanged(organizationId, id),
    ]);
  } catch (error) {
    if (!(error instanceof ConnectionConflict)) throw error;
  }
};

/** Stores until when a login of an open run waits for a person's approval; null: no longer. */
export const noteApproval = async (
  {
    organizationId,
    connectionId,
    runId,
  }: { organizationId: OrganizationId; connectionId: ConnectionId; runId: string },
  until: string | null,
): Promise<void> => {
  const update: table.TransactItem = {
    update: keys.connection(organizationId, connectionId),
    ...(until === null ? { remove: ['approval_until'] } : { set: { approval_until: until } }),
    if: `${EXISTS} AND contains(#open_runs, :run)`,
    values: { run: runId },
  };
  await table.transact([update, noteChanged(organizationId, connectionId)]);
};

/** Another request changed the connection in the meantime. The caller reads again and decides again. */
export class ConnectionConflict extends VersionConflict {}

/** Deletes the connection as it was read. The purge item has a due entry until all data of the connection is deleted. */
const removeAsRead = async (connection: Connection, cause: Cause): Promise<void> => {
  const { organizationId, id, source, accountKey, metadata } = connection;
  const purgeKey = keys.purge(organizationId, id);
  const purge = { organizationId, connectionId: id, source, generation: 1, tombstonesAtMs: null, createdAt: nowIso() };
  const asRead = stillAsRead({ account_key: accountKey, metadata });
  await whileCounted(organizationId, (counting) =>
    audit.commit(
      [
        {
          remove: keys.connection(organizationId, id),
          if: `${EXISTS} AND attribute_not_exists(open_runs) AND ${asRead.if}`,
          values: asRead.values,
          otherwise: () => new ConnectionConflict(),
        },
        { remove: keys.credentials(organizationId, id) },
        ...moveEntries(connection, undefined),
        noteChanged(organizationId, id),
        counting.lessOne,
        { put: { ...purgeKey, ...dueEntry(purgeKey, nowIso()), ...purgeItem.toItem(purge) } },
      ],
      audit.newEvent({ organizationId, action: 'connection.deleted', targetId: id }, cause),
    ),
  );
};

/** Deletes the connection at once if no run is open. */
export const remove = (organizationId: OrganizationId, id: ConnectionId, cause: Cause): Promise<void> =>
  retryOnConflict([ConnectionConflict], CONNECTION_LIMITS.connectionChangeAttemptsMax, async () => {
    const found = await find(organizationId, id);
    if (!found) throw new ConnectionGone();
    if (found.openRuns.length > 0) throw new ConflictError('connection_sync_in_progress');
    try {
      await removeAsRead(found, cause);
    } catch (error) {
      // Another request deleted the connection first.
      if (error instanceof ConditionRefused || !(await find(organizationId, id))) throw new ConnectionGone();
      throw error;
    }
  });

export class ConnectionGone extends AppError {}

/** Connections. Every function takes the organization first; a foreign id finds nothing. */

import * as z from 'zod';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { dueEntry } from '#shared/table/due-keys.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { bytes, item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError, VersionConflict } from '#shared/values/app-error.ts';
import { ConflictError } from '#shared/values/conflicts.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { type Connection, ConnectionSchema, type ConnectionStatus, type Schedule } from './connection.rules.ts';
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

/** The credentials lie in an item of their own, so that listing connections never touches them. */
export const create = async (connection: Connection, credentials: Uint8Array): Promise<void> => {
  const { organizationId, id } = connection;
  await table.transact([
    {
      put: { ...keys.connection(organizationId, id), ...connectionItem.toItem(connection) },
      if: 'attribute_not_exists(pk)',
      otherwise: () => new ConnectionExists(),
    },
    putCredentials(connection, credentials, 1),
  ]);
};

/** A repeat of a create whose first try was cut off after the write: the caller answers what is there. */
export class ConnectionExists extends AppError {}

export const find = async (organizationId: OrganizationId, id: ConnectionId): Promise<Connection | undefined> => {
  const found = await table.get(keys.connection(organizationId, id));
  return found && connectionItem.fromItem(found);
};

/** All connections of the organization, newest created first. */
export const list = async (organizationId: OrganizationId): Promise<Connection[]> => {
  const { pk, prefix } = keys.connections(organizationId);
  const items = await table.query(pk, { prefix });
  return items
    .map(connectionItem.fromItem)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id < a.id ? -1 : 1));
};

/** The encrypted credentials and the version they carry. */
export const findCredentials = async (
  organizationId: OrganizationId,
  id: ConnectionId,
): Promise<{ ciphertext: Uint8Array; version: number } | undefined> => {
  const found = await table.get(keys.credentials(organizationId, id));
  return found && credentialsItem.fromItem(found);
};

export interface ConnectionChange {
  name?: string;
  enabledScopes?: string[];
  metadata?: Record<string, unknown>;
  status?: ConnectionStatus;
  schedule?: Schedule;
  /** New credentials, encrypted: their version becomes `expectedCredentialsVersion + 1`. */
  credentials?: { ciphertext: Uint8Array; expectedVersion: number };
}

/**
 * Conditional on status, schedule and credentials as the caller decided by, so that two changes at a time cannot undo
 * each other. A changed schedule leaves a due entry until Scheduler has accepted it.
 */
export const change = async (connection: Connection, changes: ConnectionChange): Promise<void> => {
  const { organizationId, id } = connection;
  const { credentials, ...fields } = changes;
  const key = keys.connection(organizationId, id);
  const set = {
    ...(changes.schedule ? dueEntry(key, new Date(nowMs() + MESSAGING_LIMITS.messageGraceMs).toISOString()) : {}),
    ...connectionItem.toChanges({ ...fields, credentialsVersion: credentials && credentials.expectedVersion + 1 }),
  };
  const condition = {
    if: `${EXISTS} AND #status = :was AND #credentials_version = :version AND #schedule.#revision = :revision`,
    values: {
      was: connection.status,
      version: connection.credentialsVersion,
      revision: connection.schedule.revision,
    },
    otherwise: () => new ConnectionConflict(),
  };
  await table.transact([
    { update: key, set, ...condition },
    ...(credentials ? [putCredentials(connection, credentials.ciphertext, credentials.expectedVersion + 1)] : []),
  ]);
};

/** Somebody else changed the connection meanwhile: read again and decide anew. */
export class ConnectionConflict extends VersionConflict {}

/**
 * Gone at once, on the condition that no run is open. The purge item stays behind with a due entry until everything
 * that hung on the connection is deleted.
 */
export const remove = async (organizationId: OrganizationId, id: ConnectionId): Promise<void> => {
  const key = keys.connection(organizationId, id);
  const found = await table.get(key);
  if (!found) throw new ConnectionGone();
  const purgeKey = keys.purge(organizationId, id);
  try {
    await table.transact([
      {
        remove: key,
        if: `${EXISTS} AND attribute_not_exists(open_runs)`,
        otherwise: () => new ConflictError('connection_sync_in_progress'),
      },
      { remove: keys.credentials(organizationId, id) },
      {
        put: {
          ...purgeKey,
          ...dueEntry(purgeKey, nowIso()),
          ...purgeItem.toItem({
            organizationId,
            connectionId: id,
            source: connectionItem.fromItem(found).source,
            generation: 1,
            tombstonesAtMs: null,
            createdAt: nowIso(),
          }),
        },
      },
    ]);
  } catch (error) {
    // Another delete won in between.
    if (error instanceof ConditionRefused || !(await table.get(key))) throw new ConnectionGone();
    throw error;
  }
};

export class ConnectionGone extends AppError {}

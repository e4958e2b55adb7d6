/**
 * The connections that changed after the snapshot of an organization's connections (docs/adr/0043). Each write that
 * changes what a list filters by notes the connection in the same transaction, under a key of its own, so that writes to
 * different connections never conflict.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ConditionRefused } from '#shared/table/errors.ts';
import { item } from '#shared/table/item.ts';
import { listedKeys } from '#shared/table/listed-keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import { type ConnectionId, connectionId as connectionIdSchema, type OrganizationId } from '#shared/values/ids.ts';
import { CONNECTION_LIMITS } from './limits.ts';

const ChangedConnectionSchema = z.object({
  connectionId: connectionIdSchema(),
  /** Different for each write. */
  note: z.string(),
});
export interface ChangedConnection extends z.infer<typeof ChangedConnectionSchema> {}

export const changedItem = item('changed connection', ChangedConnectionSchema);

const INSTANCE = randomUUID();
let notes = 0;

/** Returns the item that notes the connection, for the transaction that creates, changes or deletes it. */
export const noteChanged = (organizationId: OrganizationId, connectionId: ConnectionId): table.TransactItem => ({
  put: {
    ...listedKeys.changedConnection(organizationId, connectionId),
    ...changedItem.toItem({ connectionId, note: `${INSTANCE}.${notes++}` }),
    ...expiresIn(CONNECTION_LIMITS.changedSeconds),
  },
});

/** Returns up to `limit` of the noted connections. */
export const listChanged = async (organizationId: OrganizationId, limit: number): Promise<ChangedConnection[]> => {
  const { pk, prefix } = listedKeys.changedConnections(organizationId);
  return (await table.query(pk, { prefix, limit })).map(changedItem.fromItem);
};

/** Deletes the note, unless the connection was noted again. */
export const forgetChanged = async (
  organizationId: OrganizationId,
  { connectionId, note }: ChangedConnection,
): Promise<void> => {
  try {
    await table.remove(listedKeys.changedConnection(organizationId, connectionId), {
      if: '#note = :note',
      values: { note },
    });
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
  }
};

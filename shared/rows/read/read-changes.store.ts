/**
 * The changes of a connection's rows since a cursor (docs/data-model.md, "Changes"). There is no separate log: each row
 * has the sequence of the write that put it, and the index says which blocks hold rows newer than the cursor. So a
 * snapshot, a catch-up and a poll that finds nothing use one algorithm.
 */

import type { Connection } from '#shared/connections/connection.rules.ts';
import { connectionItem } from '#shared/connections/connection.store.ts';
import {
  BEGINNING,
  type CursorOwner,
  decodeCursor,
  encodeCursor,
  type ScopePosition,
} from '#shared/rows/item/change-cursor.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { tableEpoch } from '#shared/table/epoch.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { type ChangeReading, isFull, type RowChange, readScope } from './read-round.store.ts';

export interface ChangesRequest {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  /** The only scope to read; null for every scope of the connection. */
  filter: string | null;
  /** `nextCursor` of the previous call. Null to read from the beginning, including all past removals. */
  cursor: string | null;
  /** Maximum number of changes, at least 1. */
  limit: number;
}

export interface ChangesPage {
  connection: Connection;
  changes: RowChange[];
  /**
   * Cursor for the next call. The caller must store the cursor together with the data to which the changes were
   * applied.
   */
  nextCursor: string;
  /** False if no further change was stored when the call began. A page may be empty although more changes follow. */
  hasMore: boolean;
}

/**
 * Returns the scopes, beginning with the scope that has an open round and continuing with the scopes after it, so that
 * a scope with constant changes does not block the others.
 */
const inTurn = (scopes: readonly ScopeDefinition[], positions: ReadonlyMap<string, ScopePosition>) => {
  const open = Math.max(
    0,
    scopes.findIndex(({ name }) => positions.get(name)?.round),
  );
  return [...scopes.slice(open), ...scopes.slice(0, open)];
};

const findHead = async ({ organizationId, connectionId }: ChangesRequest) => {
  const wanted = [keys.connection(organizationId, connectionId), keys.changes(organizationId, connectionId)];
  const items = await table.batchGet(wanted);
  const item = items.find(({ sk }) => sk === wanted[0]!.sk);
  const newest = items.find(({ sk }) => sk === wanted[1]!.sk) ?? {};
  return { connection: item && connectionItem.fromItem(item), newest: newest as Readonly<Record<string, unknown>> };
};

/**
 * Reads the next changes of a connection's rows. Every change is sent at least once, each row as its list shows it. A
 * caller that applies the changes in order, by `id`, gets exactly the rows of the lists; there is no guaranteed order
 * across ids, periods and scopes. The caller commits `nextCursor` together with the applied changes, and may repeat any
 * call.
 *
 * @returns undefined if the organization has no such connection
 * @throws CursorUnreadable if the cursor does not belong to this connection and filter
 * @throws CursorExpired if the table was restored since; the caller starts over with an empty copy
 */
export const readChanges = async (request: ChangesRequest): Promise<ChangesPage | undefined> => {
  const { organizationId, connectionId, filter, cursor, limit } = request;
  const { connection, newest } = await findHead(request);
  if (!connection) return undefined;
  const owner: CursorOwner = { connectionId, filter, epoch: tableEpoch() };
  const positions = cursor === null ? new Map<string, ScopePosition>() : decodeCursor(cursor, owner);
  const scopes = SCOPES.filter(({ source, name }) => source === connection.source && (filter ?? name) === name);
  const hasNews = (name: string): boolean => {
    const { c, round } = positions.get(name) ?? BEGINNING;
    return round !== null || ((newest[name] as number | undefined) ?? 0) > c;
  };
  const reading: ChangeReading = { changes: [], limit, readsLeft: ROW_LIMITS.changeReadsMax };
  for (const scope of inTurn(scopes, positions)) {
    if (isFull(reading)) break;
    if (!hasNews(scope.name)) continue;
    const address = { organizationId, connectionId, scope: scope.name };
    positions.set(scope.name, await readScope({ scope, address }, positions.get(scope.name) ?? BEGINNING, reading));
  }
  return {
    connection,
    changes: reading.changes,
    nextCursor: encodeCursor(owner, positions),
    hasMore: scopes.some(({ name }) => hasNews(name)),
  };
};

/**
 * The changes of a connection's rows since a cursor (docs/data-model.md, "Changes"). The rows are the log: each carries the
 * sequence of the write that put it, and the index tells which blocks hold something newer than the cursor, so that a
 * snapshot, a catch-up and a poll that finds nothing are one algorithm.
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
  /** Name of the scope to read alone; null: every scope of the connection. */
  filter: string | null;
  /** `nextCursor` of the call before; null: from the beginning, which also tells what was removed so far. */
  cursor: string | null;
  /** Changes at most, from 1 on. */
  limit: number;
}

export interface ChangesPage {
  connection: Connection;
  changes: RowChange[];
  /** To go on with, now or later; always a new one to keep, together with what the changes were made to. */
  nextCursor: string;
  /** False: nothing more was there when the call began. A page may be empty and have more. */
  hasMore: boolean;
}

/** The scope with an open round first, then those after it: none waits for ever behind one that always changes. */
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
 * Reads the next changes of a connection's rows: all of them at least once, each as its list shows it. Changes that are
 * applied in their order, by `id`, give exactly what the lists show; across ids, periods and scopes no order is promised.
 * A caller commits `nextCursor` together with what it made of the changes, and may repeat any call.
 *
 * @returns undefined where the organization has no such connection
 * @throws CursorUnreadable where the cursor is none of this connection and filter
 * @throws CursorExpired where the table was restored since: the caller starts over with an empty copy
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

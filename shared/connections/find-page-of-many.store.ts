/**
 * Finds one page of a large organization's connections. They are chosen from the snapshot and from the connections that
 * changed later (docs/adr/0043); each connection of the page is then read itself.
 */
import { isDeepStrictEqual } from 'node:util';
import { nowMs } from '#shared/platform/clock.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { findLoginSharers } from './account-key.rules.ts';
import { waitsForApproval } from './attention.rules.ts';
import { listChanged } from './changed-connections.store.ts';
import type { Connection } from './connection.rules.ts';
import { connectionItem, list } from './connection.store.ts';
import { findSnapshot, replaceSnapshot } from './connection-snapshot.store.ts';
import { CONNECTION_LIMITS } from './limits.ts';
import { type ListedConnection, toListed } from './listed-connection.rules.ts';
import { type ConnectionChoice, type ConnectionPage, choosePage, type PageRange } from './select-connections.rules.ts';

const readConnections = async (
  organizationId: OrganizationId,
  ids: readonly ConnectionId[],
): Promise<Map<ConnectionId, Connection>> => {
  const items = await table.batchGet(ids.map((id) => keys.connection(organizationId, id)));
  return new Map(items.map((found) => [found.id as ConnectionId, connectionItem.fromItem(found)]));
};

const newestFirst = (a: ListedConnection, b: ListedConnection): number => (a.id < b.id ? 1 : -1);

/** Returns the list with the connections of `ids` as they were read; an absent one is deleted. */
const replaceRead = <C extends ListedConnection>(
  listed: readonly C[],
  ids: readonly ConnectionId[],
  read: ReadonlyMap<ConnectionId, C>,
): C[] => {
  const replaced = new Set(ids);
  return [...listed.filter(({ id }) => !replaced.has(id)), ...read.values()].sort(newestFirst);
};

/** Returns what the organization's list filters by, newest creation first, as exact as all connections. */
const listForSelection = async (organizationId: OrganizationId): Promise<readonly ListedConnection[]> => {
  const { changedReadMax, changedUntilSnapshot } = CONNECTION_LIMITS;
  // The notes are read before the snapshot: a snapshot is stored before the notes that it contains are deleted.
  const noted = await listChanged(organizationId, changedReadMax + 1);
  const { objectId, snapshot } = await findSnapshot(organizationId);
  const changed = noted.slice(0, changedReadMax);
  if (snapshot === undefined || noted.length > changedReadMax) {
    const readAtMs = nowMs();
    const connections = (await list(organizationId)).map(toListed);
    await replaceSnapshot(organizationId, objectId, { connections, readAtMs }, changed);
    return connections;
  }
  const ids = changed.map(({ connectionId }) => connectionId);
  const read = await readConnections(organizationId, ids);
  const listed = new Map([...read].map(([id, connection]) => [id, toListed(connection)]));
  const connections = replaceRead(snapshot.connections, ids, listed);
  if (changed.length >= changedUntilSnapshot)
    await replaceSnapshot(organizationId, objectId, { ...snapshot, connections }, changed);
  return connections;
};

/** Returns the list in which connections that may wait for an approval are as they were read: their runs decide. */
const readWaiting = async (
  organizationId: OrganizationId,
  listed: readonly ListedConnection[],
  nowMs: number,
): Promise<readonly ListedConnection[]> => {
  const waiting = listed.filter(
    ({ approvalUntil }) => approvalUntil !== undefined && Date.parse(approvalUntil) > nowMs,
  );
  if (waiting.length === 0) return listed;
  const ids = waiting.map(({ id }) => id);
  return replaceRead(listed, ids, await readConnections(organizationId, ids));
};

/** True if the connection as it was read belongs where it was chosen to be. */
const isAsChosen = (read: Connection | undefined, chosen: ListedConnection, nowMs: number): read is Connection =>
  read !== undefined &&
  waitsForApproval(read, nowMs) === waitsForApproval(chosen, nowMs) &&
  isDeepStrictEqual(toListed(read), toListed(chosen));

/** Returns one page and the exact number of connections on all pages. */
export const findPageOfMany = async (
  organizationId: OrganizationId,
  range: PageRange,
  choice: ConnectionChoice,
): Promise<ConnectionPage<Connection>> => {
  let listed = await listForSelection(organizationId);
  if (choice.filter.needsAttention) listed = await readWaiting(organizationId, listed, choice.nowMs);
  for (let attempt = 0; attempt < CONNECTION_LIMITS.pageAttemptsMax; attempt++) {
    const { page: wanted, total } = choosePage(listed, findLoginSharers(listed), range, choice);
    const ids = wanted.map(({ connection }) => connection.id);
    const read = await readConnections(organizationId, ids);
    const page = wanted.flatMap(({ connection: chosen, isLoginShared }) => {
      const connection = read.get(chosen.id);
      return isAsChosen(connection, chosen, choice.nowMs) ? [{ connection, isLoginShared }] : [];
    });
    if (page.length === wanted.length) return { page, total };
    // A connection of the page changed or was deleted after the list was read, so it may belong elsewhere.
    listed = replaceRead(listed, ids, read);
  }
  const all = await list(organizationId);
  return choosePage(all, findLoginSharers(all), range, choice);
};

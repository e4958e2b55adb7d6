/**
 * Finds one page of a large organization's connections. They are chosen from the snapshot and from the connections that
 * changed later (docs/adr/0043); each connection of the page is then read itself.
 */
import { isDeepStrictEqual } from 'node:util';
import { nowMs } from '#shared/platform/clock.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { waitsForApproval } from './attention.rules.ts';
import { type ChangedConnection, listChanged } from './changed-connections.store.ts';
import type { Connection } from './connection.rules.ts';
import { findMany, list } from './connection.store.ts';
import { findSnapshot, replaceSnapshot } from './connection-snapshot.store.ts';
import { CONNECTION_LIMITS } from './limits.ts';
import { type ListedConnection, newestFirst, toListed } from './listed-connection.rules.ts';
import { type ConnectionChoice, type ConnectionPage, choosePage, type PageRange } from './select-connections.rules.ts';

const readConnections = (organizationId: OrganizationId, ids: readonly ConnectionId[]) =>
  findMany(ids.map((connectionId) => ({ organizationId, connectionId })));

/** Returns the list with the connections of `ids` as they were read; an absent one is deleted. */
const replaceRead = <C extends ListedConnection>(
  listed: readonly C[],
  ids: readonly ConnectionId[],
  read: ReadonlyMap<ConnectionId, C>,
): C[] => {
  const replaced = new Set(ids);
  return [...listed.filter(({ id }) => !replaced.has(id)), ...read.values()].sort(newestFirst);
};

interface ChoosableList {
  /** Newest creation first, as exact as all connections. */
  listed: readonly ListedConnection[];
  /** Stores the next snapshot; null while the stored one lacks few changes. */
  storeNext: (() => Promise<void>) | null;
}

const listAll = async (
  organizationId: OrganizationId,
  objectId: string | undefined,
  changed: readonly ChangedConnection[],
): Promise<ChoosableList> => {
  const readAtMs = nowMs();
  const all = await list(organizationId);
  const connections = all.map(toListed);
  const listed = new Map(connections.map((connection) => [connection.id, connection]));
  return {
    listed: connections,
    storeNext: () => replaceSnapshot(organizationId, objectId, { connections, readAtMs }, { changed, listed }),
  };
};

/** Returns what the organization's list filters by. */
const readList = async (organizationId: OrganizationId): Promise<ChoosableList> => {
  const { changedReadMax, changedUntilSnapshot } = CONNECTION_LIMITS;
  // The notes are read before the snapshot: a snapshot is stored before the notes that it contains are deleted.
  const noted = await listChanged(organizationId, changedReadMax + 1);
  const { objectId, snapshot } = await findSnapshot(organizationId);
  const changed = noted.slice(0, changedReadMax);
  if (snapshot === undefined || noted.length > changedReadMax) return listAll(organizationId, objectId, changed);
  const ids = changed.map(({ connectionId }) => connectionId);
  const read = await readConnections(organizationId, ids);
  const listed = new Map([...read].map(([id, connection]) => [id, toListed(connection)]));
  const connections = replaceRead(snapshot.connections, ids, listed);
  if (changed.length < changedUntilSnapshot) return { listed: connections, storeNext: null };
  return {
    listed: connections,
    storeNext: () => replaceSnapshot(organizationId, objectId, { ...snapshot, connections }, { changed, listed }),
  };
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
  if (waiting.length > CONNECTION_LIMITS.changedReadMax) return list(organizationId);
  const ids = waiting.map(({ id }) => id);
  return replaceRead(listed, ids, await readConnections(organizationId, ids));
};

/** True if the connection as it was read belongs where it was chosen to be. */
const isAsChosen = (
  read: Connection | undefined,
  chosen: ListedConnection,
  { filter, nowMs }: ConnectionChoice,
): read is Connection =>
  read !== undefined &&
  (!filter.needsAttention || waitsForApproval(read, nowMs) === waitsForApproval(chosen, nowMs)) &&
  isDeepStrictEqual(toListed(read), toListed(chosen));

const findInList = async (
  organizationId: OrganizationId,
  all: readonly ListedConnection[],
  range: PageRange,
  choice: ConnectionChoice,
): Promise<ConnectionPage<Connection>> => {
  let listed = choice.filter.needsAttention ? await readWaiting(organizationId, all, choice.nowMs) : all;
  for (let attempt = 0; attempt < CONNECTION_LIMITS.pageAttemptsMax; attempt++) {
    const { page: wanted, total } = choosePage(listed, range, choice);
    const ids = wanted.map(({ connection }) => connection.id);
    const read = await readConnections(organizationId, ids);
    const page = wanted.flatMap(({ connection: chosen, isLoginShared }) => {
      const connection = read.get(chosen.id);
      return isAsChosen(connection, chosen, choice) ? [{ connection, isLoginShared }] : [];
    });
    if (page.length === wanted.length) return { page, total };
    // A connection of the page changed or was deleted after the list was read, so it may belong elsewhere.
    listed = replaceRead(listed, ids, read);
  }
  return choosePage(await list(organizationId), range, choice);
};

/** Returns one page and the exact number of connections on all pages. */
export const findPageOfMany = async (
  organizationId: OrganizationId,
  range: PageRange,
  choice: ConnectionChoice,
): Promise<ConnectionPage<Connection>> => {
  const { listed, storeNext } = await readList(organizationId);
  const found = await findInList(organizationId, listed, range, choice);
  // Last, so that a busy table or bucket does not cost the answer.
  await storeNext?.();
  return found;
};

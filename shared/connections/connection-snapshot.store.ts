/**
 * The snapshot of an organization's connections, from which pages of a large list are chosen (docs/adr/0043). It is an
 * object that never changes; an item names the newest one. It may be old: what changed later is noted
 * (`changed-connections.store.ts`). Nothing depends on it, since all connections can be read instead.
 */
import { isDeepStrictEqual, promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { nowMs } from '#shared/platform/clock.ts';
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { describeError } from '#shared/platform/describe-error.ts';
import { env } from '#shared/platform/env.ts';
import { newId } from '#shared/platform/ids.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { log } from '#shared/platform/logger.ts';
import { SNAPSHOT_FOLDER, VARIABLES } from '#shared/platform/needs.ts';
import { quickObjectClient } from '#shared/platform/object-client.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { listedKeys } from '#shared/table/listed-keys.ts';
import * as table from '#shared/table/table.ts';
import { type ConnectionId, type OrganizationId, organizationId as organizationIdSchema } from '#shared/values/ids.ts';
import { type ChangedConnection, forgetChanged } from './changed-connections.store.ts';
import { connectionItem } from './connection.store.ts';
import { CONNECTION_LIMITS } from './limits.ts';
import { type ListedConnection, ListedConnectionSchema, toListed } from './listed-connection.rules.ts';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

export const snapshotItem = item('connection snapshot', z.object({ objectId: z.string(), readAtMs: z.number() }));

/** The object. A change of its schema needs another `form`, so that no older snapshot is read (a test compares the schema). */
export const SnapshotSchema = z.object({
  form: z.literal(1),
  organizationId: organizationIdSchema(),
  connections: z.array(ListedConnectionSchema),
});

export interface Snapshot {
  /** Newest creation first. */
  connections: readonly ListedConnection[];
  /** Time of the last reading of all connections, from which the snapshot and its successors derive. */
  readAtMs: number;
}

export interface StoredSnapshot {
  /** Id of the newest object; undefined if there was none. */
  objectId: string | undefined;
  /** Undefined if the object is absent, outdated or unreadable. */
  snapshot: Snapshot | undefined;
}

/** The object that this instance read last. */
let newest: { objectId: string; connections: readonly ListedConnection[] } | undefined;

const addressOf = (organizationId: OrganizationId, objectId: string): { Bucket: string; Key: string } => ({
  Bucket: env(VARIABLES.rawBucket),
  Key: `${SNAPSHOT_FOLDER}/${organizationId}/${objectId}`,
});

/** Limits a whole call, also one whose body comes byte by byte. */
const limitTime = (): { abortSignal: AbortSignal } => ({
  abortSignal: AbortSignal.timeout(PLATFORM_LIMITS.quickObjectCallMs),
});

const readObject = async (organizationId: OrganizationId, objectId: string): Promise<readonly ListedConnection[]> => {
  if (newest?.objectId === objectId) return newest.connections;
  const { Body } = await quickObjectClient().send(
    new GetObjectCommand(addressOf(organizationId, objectId)),
    limitTime(),
  );
  const text = (await unzip(await Body!.transformToByteArray())).toString('utf8');
  const snapshot = SnapshotSchema.parse(JSON.parse(text));
  if (snapshot.organizationId !== organizationId) throw new Error('the snapshot is of another organization');
  newest = { objectId, connections: snapshot.connections };
  return snapshot.connections;
};

/** Returns the newest snapshot. Never throws because of its object. */
export const findSnapshot = async (organizationId: OrganizationId): Promise<StoredSnapshot> => {
  const found = await table.get(listedKeys.connectionSnapshot(organizationId));
  if (found === undefined) return { objectId: undefined, snapshot: undefined };
  const { objectId, readAtMs } = snapshotItem.fromItem(found);
  if (nowMs() - readAtMs >= CONNECTION_LIMITS.snapshotMs) return { objectId, snapshot: undefined };
  try {
    return { objectId, snapshot: { connections: await readObject(organizationId, objectId), readAtMs } };
  } catch (error) {
    log.warn('a snapshot of connections cannot be read', { organization_id: organizationId, ...describeError(error) });
    return { objectId, snapshot: undefined };
  }
};

const putObject = async (
  organizationId: OrganizationId,
  objectId: string,
  connections: readonly ListedConnection[],
): Promise<void> => {
  const snapshot: z.infer<typeof SnapshotSchema> = { form: 1, organizationId, connections: [...connections] };
  const Body = await zip(JSON.stringify(snapshot), { level: 1 });
  await quickObjectClient().send(new PutObjectCommand({ ...addressOf(organizationId, objectId), Body }), limitTime());
};

/** Notes that a snapshot may make needless. */
export interface Contained {
  changed: readonly ChangedConnection[];
  /** The connections that exist, as the snapshot has them. */
  listed: ReadonlyMap<ConnectionId, ListedConnection>;
}

/**
 * Deletes the notes of changes that the snapshot has. Note and connection are read in one transaction, because another
 * kind of read may show the note of a commit before its connection (AWS's documents).
 */
const forgetContained = async (organizationId: OrganizationId, { changed, listed }: Contained): Promise<void> => {
  await forEachConcurrent(changed, TABLE_LIMITS.tableParallelMax, async (noted) => {
    const { connectionId, note } = noted;
    const [now, connection] = await table.getTogether([
      listedKeys.changedConnection(organizationId, connectionId),
      keys.connection(organizationId, connectionId),
    ]);
    const isSame = isDeepStrictEqual(
      connection && toListed(connectionItem.fromItem(connection)),
      listed.get(connectionId),
    );
    if (now?.note === note && isSame) await forgetChanged(organizationId, noted);
  });
};

/**
 * Stores a snapshot if the object `was` is still the newest, and forgets the changes that it contains. Never throws: a
 * reader has its answer without it. The bucket's lifecycle removes the objects, which other readers may be reading.
 * @param snapshot its connections were read after the notes in `contained`, and the notes before `was`
 */
export const replaceSnapshot = async (
  organizationId: OrganizationId,
  was: StoredSnapshot['objectId'],
  { connections, readAtMs }: Snapshot,
  contained: Contained,
): Promise<void> => {
  const objectId = newId();
  const asRead = was === undefined ? 'attribute_not_exists(pk)' : '#object_id = :was';
  try {
    await putObject(organizationId, objectId, connections);
    await table.put(
      { ...listedKeys.connectionSnapshot(organizationId), ...snapshotItem.toItem({ objectId, readAtMs }) },
      { if: asRead, values: was === undefined ? {} : { was } },
    );
    await forgetContained(organizationId, contained);
  } catch (error) {
    // Another reader was faster, and its snapshot serves as well.
    if (error instanceof ConditionRefused) return;
    log.warn('a snapshot of connections cannot be stored', {
      organization_id: organizationId,
      ...describeError(error),
    });
  }
};

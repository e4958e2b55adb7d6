/** A page of connections that need attention, while a bank waits for a person: the approval ends as the page is read. */
import { randomUUID } from 'node:crypto';
import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { newConnection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { findPageOfMany } from '#shared/connections/find-page-of-many.store.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type MemoryBucket, memoryBucket } from '#test/fakes/memory-bucket.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';

let server: EngineTable;
let bucket: MemoryBucket;

beforeAll(async () => {
  server = await startEngineTable();
  bucket = memoryBucket();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  bucket.restore();
  await server.stop();
});

/** Creates a connection of which a run waits for an approval for some minutes. */
const createWaiting = async (organizationId: string) => {
  const fields = { organizationId, source: 'bankone', name: 'Banco', enabledScopes: ['movements'], metadata: {} };
  const made = newConnection({ ...fields, id: newId(), accountKey: undefined, createdAt: nowIso() });
  await connections.create(made, new Uint8Array([1]), BY_SERVICE);
  await table.update(keys.connection(organizationId, made.id), { add: { open_runs: new Set(['run']) } });
  const until = new Date(nowMs() + 300_000).toISOString();
  await connections.noteApproval({ organizationId, connectionId: made.id, runId: 'run' }, until);
  return made.id;
};

const endRun = (organizationId: string, id: string) =>
  table.update(keys.connection(organizationId, id), { take: { open_runs: new Set(['run']) } });

const needingAttention = (organizationId: string) =>
  findPageOfMany(
    organizationId,
    { limit: 10, offset: 0 },
    { filter: { needsAttention: true }, order: 'created', nowMs: nowMs() },
  );

test('lists the connection while its run is open', async () => {
  const organizationId = randomUUID();
  const id = await createWaiting(organizationId);
  for (let n = 0; n < 2; n++) expect((await needingAttention(organizationId)).page[0]?.connection.id).toBe(id);
  await endRun(organizationId, id);
  expect(await needingAttention(organizationId)).toEqual({ page: [], total: 0 });
});

test('does not list a connection whose run ended after it was looked up', async () => {
  const organizationId = randomUUID();
  const id = await createWaiting(organizationId);
  await needingAttention(organizationId);
  const send = DynamoDBDocumentClient.prototype.send as (command: unknown) => Promise<unknown>;
  let reads = 0;
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async (command: unknown) => {
    // First the connections that wait are looked up, then those of the page.
    if (command instanceof BatchGetCommand && ++reads === 2) await endRun(organizationId, id);
    return send(command) as never;
  });
  expect(await needingAttention(organizationId)).toEqual({ page: [], total: 0 });
  expect(reads).toBe(2);
});

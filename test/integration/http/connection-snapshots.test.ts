/** Pages of many connections: the snapshot, the changes after it, and what happens without it (docs/adr/0043). */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { contract } from '#functions/api/connections/list-connections/contract.ts';
import { handler } from '#functions/api/connections/list-connections/handler.ts';
import { listChanged } from '#shared/connections/changed-connections.store.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { keys } from '#shared/table/keys.ts';
import { listedKeys } from '#shared/table/listed-keys.ts';
import * as table from '#shared/table/table.ts';
import { showNoteFirst } from '#test/fakes/half-commit.ts';
import { type MemoryBucket, memoryBucket } from '#test/fakes/memory-bucket.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { CANARY, type ConnectionApi, connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
const HOUR_MS = 3_600_000;

let server: EngineTable;
let keyFile: { remove(): void };
let bucket: MemoryBucket;
let session: Credential;
let api: ConnectionApi;
let organizationId = '';
let refused: string | undefined;
let log: ReturnType<typeof captureLog>;

const inBucket = (): MemoryBucket =>
  memoryBucket((call) => {
    if (call === refused) throw new Error('S3 is out');
  });

beforeAll(async () => {
  server = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  bucket = inBucket();
});
beforeEach(async () => {
  vi.spyOn(CONNECTION_LIMITS as { readAllMax: number }, 'readAllMax', 'get').mockReturnValue(2);
  log = captureLog();
  plantClock(() => AT);
  refused = undefined;
  bucket.objects.clear();
  organizationId = randomUUID();
  session = (await callersOf(organizationId)).session;
  api = connectionApi(session);
});
afterEach(() => {
  plantClock(undefined);
  vi.restoreAllMocks();
});
afterAll(async () => {
  keyFile.remove();
  bucket.restore();
  await server.stop();
});

/** Creates connections named n0, n1, n2 and so on, each a second after the one before. */
const create = async (count: number, from = 0): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = from; n < from + count; n++) {
    plantClock(() => AT + n * 1_000);
    const credentials = { rut: '76.192.083-9', password: CANARY };
    const metadata = { reference: `cliente-${n}`, company_rut: '76192083-9' };
    ids.push((await api.create(newConnection({ name: `n${n}`, metadata, credentials }))).body.id);
  }
  return ids;
};

const list = (query: string) => call(contract, handler, { ...session, query: `limit=50&${query}` });
const namesOf = async (query = ''): Promise<string[]> =>
  (await list(query)).body.data.map(({ name }: { name: string }) => name);
const notes = async (): Promise<number> => (await listChanged(organizationId, 1_000)).length;
const storedSnapshot = (): string => {
  const [, object] = [...bucket.objects].at(-1)!;
  return gunzipSync(object).toString('utf8');
};

test('up to the limit all connections are read, above it the first page stores a snapshot of no secrets', async () => {
  await create(2);
  expect(await namesOf()).toEqual(['n1', 'n0']);
  expect(bucket.objects.size).toBe(0);
  await create(1, 2);
  expect(await namesOf('status=pending')).toEqual(['n2', 'n1', 'n0']);
  expect([...bucket.objects.keys()][0]).toMatch(new RegExp(`^connection-snapshots/${organizationId}/[0-9a-f-]{36}$`));
  const stored = JSON.parse(storedSnapshot());
  expect(stored).toMatchObject({ form: 1, organizationId });
  expect(stored.connections[0]).toEqual({
    id: expect.any(String),
    source: 'tax',
    name: 'n2',
    status: 'pending',
    metadata: { reference: 'cliente-2', company_rut: '76192083-9' },
    openRuns: [],
    accountKey: expect.any(String),
  });
  expect(storedSnapshot()).not.toContain(CANARY);
  expect(await notes()).toBe(0);
});

test('a creation, a change and a deletion are in the next page, without another snapshot', async () => {
  const [, second] = await create(4);
  await namesOf();
  const before = storedSnapshot();
  await create(1, 4);
  await api.update(second!, { name: 'otra' });
  expect(await namesOf()).toEqual(['n4', 'n3', 'n2', 'otra', 'n0']);
  await api.remove(second!);
  expect(await namesOf()).toEqual(['n4', 'n3', 'n2', 'n0']);
  expect((await list('q=otra')).body.pagination.total).toBe(0);
  expect([await notes(), storedSnapshot()]).toEqual([2, before]);
});

test('the seventh change brings the next snapshot', async () => {
  const ids = await create(9);
  await namesOf();
  const [former] = bucket.objects.keys();
  for (const id of ids.slice(0, 6)) await api.update(id, { name: 'otra' });
  expect((await list('q=otra')).body.pagination.total).toBe(6);
  expect([...bucket.objects.keys()]).toEqual([former]);
  await api.update(ids[6]!, { name: 'otra' });
  expect((await list('q=otra')).body.pagination.total).toBe(7);
  // Another reader may be reading the former object: the bucket's lifecycle removes it.
  expect([bucket.objects.size, await notes()]).toEqual([2, 0]);
  expect((await list('q=otra')).body.pagination.total).toBe(7);
});

test('S3 is read once for each snapshot', async () => {
  const ids = await create(9);
  await namesOf();
  const reads = bucket.reads();
  for (const query of ['status=error', 'sort=company', 'q=otra']) await list(query);
  await api.update(ids[0]!, { name: 'otra' });
  await list('q=otra');
  expect(bucket.reads() - reads).toBe(1);
});

test('more changes than are read one by one: all connections are read, and the notes are deleted part by part', async () => {
  vi.spyOn(CONNECTION_LIMITS as { changedReadMax: number }, 'changedReadMax', 'get').mockReturnValue(3);
  const ids = await create(5);
  expect([await namesOf(), await notes()]).toEqual([['n4', 'n3', 'n2', 'n1', 'n0'], 2]);
  for (const id of ids.slice(0, 2)) await api.update(id, { name: 'otra' });
  expect([await namesOf(), await notes()]).toEqual([['n4', 'n3', 'n2', 'otra', 'otra'], 1]);
  expect([await namesOf(), await notes()]).toEqual([['n4', 'n3', 'n2', 'otra', 'otra'], 1]);
});

test('after an hour all connections are read, so what an earlier release changed without a note is found', async () => {
  const ids = await create(3);
  await namesOf();
  await table.update(keys.connection(organizationId, ids[1]!), { set: { status: 'error' } });
  const at = AT + 3_000;
  plantClock(() => at);
  expect((await list('status=error')).body.pagination.total).toBe(0);
  // What is shown is always as it is.
  expect((await list('q=n1')).body.data[0].status).toBe('error');
  plantClock(() => at + HOUR_MS);
  session = (await callersOf(organizationId)).session;
  expect((await list('status=error')).body.pagination.total).toBe(1);
});

test('a snapshot made from the one before does not count as a reading of all connections', async () => {
  const ids = await create(9);
  await namesOf();
  const readAt = async () => (await table.get(listedKeys.connectionSnapshot(organizationId)))!.read_at_ms;
  const first = await readAt();
  plantClock(() => AT + HOUR_MS / 2);
  for (const id of ids) await api.update(id, { name: 'otra' });
  await namesOf();
  expect([await notes(), await readAt()]).toEqual([0, first]);
});

test('S3 refuses the next snapshot: the answer is the same and a line says so', async () => {
  const ids = await create(9);
  await namesOf();
  for (const id of ids) await api.update(id, { name: 'otra' });
  refused = 'PutObjectCommand';
  expect((await list('q=otra')).body.pagination.total).toBe(9);
  expect(log.text()).toContain('a snapshot of connections cannot be stored');
  refused = undefined;
  expect((await list('q=otra')).body.pagination.total).toBe(9);
});

describe('a commit whose note is visible before its connection', () => {
  let send: typeof DynamoDBDocumentClient.prototype.send;
  beforeEach(() => {
    ({ send } = DynamoDBDocumentClient.prototype);
  });
  afterEach(() => void Object.assign(DynamoDBDocumentClient.prototype, { send }));
  /** A reader that waits for a busy table needs a clock that goes on. */
  const letTimePass = (): void => plantClock(() => AT + 10_000 + performance.now());

  test('is in the list after the next snapshot was made from the one before', async () => {
    const ids = await create(9);
    await namesOf();
    for (const id of ids.slice(0, 6)) await api.update(id, { name: 'otra' });
    letTimePass();
    const seen = showNoteFirst(() => namesOf());
    await api.update(ids[8]!, { name: 'otra' });
    expect(seen.conflicts).toBe(1);
    expect((await list('q=otra')).body.pagination.total).toBe(7);
  });

  test.each([
    ['changed', (ids: string[]) => api.update(ids[1]!, { name: 'otra' })],
    ['created', () => api.create(newConnection({ name: 'otra' }))],
  ])('is in the list after all connections were read: %s', async (_, write) => {
    const ids = await create(3);
    letTimePass();
    const seen = showNoteFirst(() => namesOf());
    await write(ids);
    expect(seen.conflicts).toBe(1);
    expect((await list('q=otra')).body.pagination.total).toBe(1);
  });
});

test('S3 sends an object byte by byte and does not answer a put: the page is answered soon', async () => {
  await create(3);
  await namesOf();
  // An object that this instance has not read.
  await table.update(listedKeys.connectionSnapshot(organizationId), { set: { object_id: randomUUID() } });
  bucket.restore();
  const slow = createServer(({ method }, answer) => {
    const dripping = method === 'GET' && setInterval(() => answer.write(' '), 200);
    answer.on('close', () => dripping && clearInterval(dripping));
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(slow.address() as AddressInfo).port}`);
  const began = performance.now();
  expect(await namesOf()).toEqual(['n2', 'n1', 'n0']);
  const tookMs = performance.now() - began;
  slow.close();
  slow.closeAllConnections();
  vi.unstubAllEnvs();
  bucket = inBucket();
  for (const what of ['read', 'stored']) expect(log.text()).toContain(`a snapshot of connections cannot be ${what}`);
  expect(tookMs).toBeLessThan(3 * PLATFORM_LIMITS.quickObjectCallMs);
}, 20_000);

const broken: [string, (object: Buffer) => Buffer | undefined][] = [
  ['absent', () => undefined],
  ['cut', (object) => object.subarray(0, 50)],
  ['of another form', (object) => gzipSync(gunzipSync(object).toString('utf8').replace('"form":1', '"form":2'))],
  [
    'of another organization',
    (object) => gzipSync(gunzipSync(object).toString('utf8').replace(organizationId, randomUUID())),
  ],
];

test.each(broken)('an object that is %s is not read, and is replaced', async (_, damage) => {
  await create(3);
  await namesOf();
  const [[key, object] = []] = bucket.objects;
  const damaged = damage(object!);
  // Under another id, because this instance has read the object.
  const objectId = randomUUID();
  bucket.objects.clear();
  if (damaged) bucket.objects.set(key!.replace(/[^/]+$/, objectId), damaged);
  await table.update(listedKeys.connectionSnapshot(organizationId), { set: { object_id: objectId } });
  expect(await namesOf()).toEqual(['n2', 'n1', 'n0']);
  expect(log.text()).toContain('a snapshot of connections cannot be read');
  expect(bucket.objects.size).toBe(damaged ? 2 : 1);
  const told = log.text().length;
  expect(await namesOf()).toEqual(['n2', 'n1', 'n0']);
  expect(log.text().slice(told)).not.toContain('a snapshot of connections');
});

test('each organization has its own list', async () => {
  await create(3);
  await namesOf();
  const [own, others] = [organizationId, randomUUID()];
  session = (await callersOf(others)).session;
  api = connectionApi(session);
  expect((await list('')).body.pagination.total).toBe(0);
  organizationId = others;
  await create(3);
  expect((await list('sort=company')).body.pagination.total).toBe(3);
  expect([...bucket.objects.keys()].map((key) => key.split('/')[1]).sort()).toEqual([own, others].sort());
});

test('connections that share a login are found by attention, also if only one of them changed later', async () => {
  const [first] = await create(4);
  expect((await list('attention=true')).body.pagination.total).toBe(4);
  await api.remove(first!);
  expect((await list('attention=true')).body.pagination.total).toBe(3);
});

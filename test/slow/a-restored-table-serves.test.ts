/** The restore drill on one machine: a copied table, as a restore leaves it, becomes the next generation and serves. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApp } from '#infra/app.ts';
import { tableName } from '#infra/names.ts';
import { stageNamed } from '#infra/stages.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { keys } from '#shared/table/keys.ts';
import { copyTable, enableTtl } from '#test/helpers/copy-table.ts';
import { temporaryFolder } from '#test/helpers/e2e-child.ts';
import { createDoors, type Doors, leaveEvening } from '#test/helpers/e2e-doors.ts';
import { createIntegrator, type Integrator, type Row } from '#test/helpers/e2e-integrator.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { startDynamo } from '#tools/local/dynamo.ts';
import { findSandboxes } from '#tools/local/sandboxes.ts';
import { seed } from '#tools/local/seed.ts';
import { type LocalStack, startStack } from '#tools/local/stack.ts';
import { checkRestoredTable, type TableReport } from '#tools/operations/check-restored-table.ts';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'tools/operations/restore-check.ts');
const CREDENTIALS = { rut: '70000002-8', password: 'clave-de-prueba' };

const local = (tableGeneration: number) => ({ ...stageNamed('local'), tableGeneration });
const nameOf = (tableGeneration: number): string => tableName(local(tableGeneration));

const dataFolder = temporaryFolder();
/** Next to the bundles, because the assembly names them by paths from its own folder. */
const assemblies = mkdtempSync(join(ROOT, 'dist/restored-'));
/** Outlives a stack, as a table does: this process uses one address for it. */
let engine: Awaited<ReturnType<typeof startDynamo>>;
let stack: LocalStack | undefined;
let client: DynamoDBClient;
let api: Integrator;
let doors: Doors;
let connectionId: string;
interface Read {
  connections: unknown;
  rows: Row[];
  runs: unknown;
}
let before: Read;
let after: Read;
/** A position in the changes of the first table. */
let cursor: string;
let copied: number;
let asRestored: TableReport;
let withTtl: TableReport;

/** Synthesizes as the local runner does: code stays where the bundler wrote it. */
const assemblyOf = (tableGeneration: number): string => {
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify({ 'aws:cdk:disable-asset-staging': true }));
  const outdir = join(assemblies, String(tableGeneration));
  createApp({ stage: local(tableGeneration), outdir }).synth();
  return outdir;
};

const begin = async (tableGeneration: number): Promise<LocalStack> => {
  stack = await startStack({
    assemblyFolder: assemblyOf(tableGeneration),
    dataFolder,
    port: 0,
    sandboxes: findSandboxes(join(ROOT, 'shared/sources'), {}),
    environment: { DYNAMODB_ENDPOINT: engine.endpoint },
  });
  const file = await seed(stack);
  api = createIntegrator(file);
  doors = createDoors(file);
  await leaveEvening(doors);
  client = new DynamoDBClient({
    endpoint: stack.endpoints.dynamodb,
    region: stack.region,
    credentials: stack.credentials,
  });
  return stack;
};

const end = async (): Promise<void> => {
  client?.destroy();
  await stack?.close();
  stack = undefined;
};

const whatIsRead = async (): Promise<Read> => ({
  connections: await api.get('/connections'),
  rows: await api.allDocuments(connectionId),
  runs: await api.get(`/connections/${connectionId}/sync-runs`),
});

beforeAll(async () => {
  engine = await startDynamo(dataFolder);
  await begin(1);
  connectionId = await api.connect(CREDENTIALS);
  await api.finished(connectionId, await api.sync(connectionId));
  before = await whatIsRead();
  cursor = (await api.must(200, 'GET', `/connections/${connectionId}/changes?limit=200`)).feed.next_cursor;
  copied = await copyTable(client, nameOf(1), nameOf(2));
  asRestored = await checkRestoredTable(client, local(2));
  await enableTtl(client, nameOf(2));
  withTtl = await checkRestoredTable(client, local(2));
  await end();
  await begin(2);
  after = await whatIsRead();
});

afterAll(async () => {
  await end();
  await engine?.close();
  rmSync(dataFolder, { recursive: true, force: true });
  rmSync(assemblies, { recursive: true, force: true });
});

test('the copy is refused as a restore leaves it, for want of TTL, and accepted as soon as it is set', () => {
  expect(asRestored.faults).toEqual(['TTL is not enabled: expires_at_epoch must be its attribute']);
  expect(withTtl).toEqual({
    table: 'data-connections-local-table-2',
    faults: [],
    reported: [
      expect.stringMatching(new RegExp(`^${copied} items of \\d+ kinds$`)),
      'a stored secret was opened with the key of the stage',
      expect.stringMatching(
        /^each of \d+ kinds of item as often as in the former table data-connections-local-table-1$/,
      ),
    ],
  });
});

test('the same connections, runs and rows are read from the new generation', () => {
  expect(stack!.environment[VARIABLES.table]).toBe(nameOf(2));
  expect(before.rows.length).toBeGreaterThan(0);
  expect(after).toEqual(before);
});

test('an earlier cursor has expired, and a new copy holds the same rows', async () => {
  const path = `/connections/${connectionId}/changes?limit=200`;
  const expired = await api.must(410, 'GET', `${path}&cursor=${cursor}`);
  expect(expired.error.code).toBe('cursor_expired');
  const ids = new Set<unknown>();
  for (let next = '', hasMore = true; hasMore; ) {
    const page = await api.must(200, 'GET', `${path}${next}`);
    for (const { id } of page.data) ids.add(id);
    next = `&cursor=${page.feed.next_cursor}`;
    hasMore = page.feed.has_more;
  }
  expect(ids).toEqual(new Set(after.rows.map(({ id }) => id)));
});

test('a sync with the stored credentials writes only to the new generation, and the check reports the difference', async () => {
  const run = await api.finished(connectionId, await api.sync(connectionId));
  expect(run.status).toBe('succeeded');
  const served = await checkRestoredTable(client, local(2));
  expect(served.faults).toEqual([]);
  expect(served.told).toContain('  CONN RUN: 2, in the former table 1');
});

test('a table without the index, and one with TTL of another attribute, are refused', async () => {
  await copyTable(client, nameOf(2), nameOf(3), { hasIndex: false });
  await enableTtl(client, nameOf(3), 'expires');
  expect((await checkRestoredTable(client, local(3))).faults).toEqual([
    'the index due is missing: the sweeper would find nothing',
    'TTL is of the attribute expires, not of expires_at_epoch',
  ]);
  await client.send(new DeleteTableCommand({ TableName: nameOf(3) }));
});

test('a secret of another key is refused, and nothing of it is shown', async () => {
  await copyTable(client, nameOf(2), nameOf(3));
  await enableTtl(client, nameOf(3));
  const organizationId = api.file.organization_id;
  // Another instance of the module: it wraps with the first key that it finds in the environment.
  const { ENCRYPTION_KEY_FILE: own } = process.env;
  vi.resetModules();
  const other = useKeyFile();
  const elsewhere = await import('#shared/platform/crypto.ts');
  const resource = secretResource.credentials({ source: 'tax', id: connectionId });
  const ciphertext = await elsewhere.encryptSecret(organizationId, resource, JSON.stringify(CREDENTIALS));
  process.env.ENCRYPTION_KEY_FILE = own;
  other.remove();
  const put = (secret: Uint8Array) =>
    DynamoDBDocumentClient.from(client).send(
      new UpdateCommand({
        TableName: nameOf(3),
        Key: keys.credentials(organizationId, connectionId),
        UpdateExpression: 'SET ciphertext = :secret',
        ExpressionAttributeValues: { ':secret': secret },
      }),
    );
  await put(ciphertext);
  const refused = await checkRestoredTable(client, local(3));
  expect(refused.faults).toEqual([
    'a stored secret cannot be opened: another key, or these credentials may not use it',
  ]);
  expect(JSON.stringify(refused)).not.toContain(connectionId);
  await put(await encryptSecret(organizationId, resource, JSON.stringify(CREDENTIALS)));
  expect((await checkRestoredTable(client, local(3))).faults).toEqual([]);
  await client.send(new DeleteTableCommand({ TableName: nameOf(3) }));
});

test('a missing table, and an empty one instead of a full one, are refused', async () => {
  await copyTable(client, nameOf(2), nameOf(3), { hasItems: false });
  await enableTtl(client, nameOf(3));
  expect((await checkRestoredTable(client, local(3))).faults).toEqual([
    expect.stringMatching(/^it holds no item, the former table data-connections-local-table-2 holds [1-9]\d*$/),
  ]);
  await client.send(new DeleteTableCommand({ TableName: nameOf(3) }));
  expect(await checkRestoredTable(client, local(4))).toEqual({
    table: 'data-connections-local-table-4',
    faults: ['the table is not there'],
    reported: [],
  });
});

/** Runs over the running stack, whose first generation `infra/stages.ts` names. */
const command = (folder: string) =>
  new Promise<{ code: number; out: string; told: string }>((resolve) => {
    const env = { PATH: process.env.PATH, DATA_DIR: folder };
    execFile(process.execPath, [PROGRAM, '--stage', 'local'], { env }, (error, out, told) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, told }),
    );
  });

test('the command ends with 0 over the stack that runs, and with 1 under another key', async () => {
  const right = await command(dataFolder);
  expect(right).toMatchObject({ code: 0, told: '' });
  expect(right.out).toContain('a stored secret was opened with the key of the stage');
  const environment = JSON.parse(readFileSync(join(dataFolder, 'environment.json'), 'utf8'));
  const otherKey = join(assemblies, 'other.key');
  writeFileSync(otherKey, randomBytes(32).toString('base64'));
  writeFileSync(
    join(assemblies, 'environment.json'),
    JSON.stringify({ ...environment, ENCRYPTION_KEY_FILE: otherKey }),
  );
  expect(await command(assemblies)).toMatchObject({
    code: 1,
    told: expect.stringContaining('a stored secret cannot be opened'),
  });
});

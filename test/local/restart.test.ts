import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { readCommandLine } from '#tools/local/processes.ts';
import { STACK_FILE } from '#tools/local/stack.ts';
import { startTinyStack, type TinyStack, temporaryFolder, tinyAssembly } from './tiny-stack.ts';

const connection = (endpoint: string, { region, credentials }: TinyStack) => ({ endpoint, region, credentials });

const tableOf = (stack: TinyStack) => ({
  TableName: stack.model.tables[0]?.name,
  client: DynamoDBDocumentClient.from(new DynamoDBClient(connection(stack.endpoints.dynamodb, stack))),
});
const put = async (stack: TinyStack): Promise<void> => {
  const { client, TableName } = tableOf(stack);
  await client.send(new PutCommand({ TableName, Item: { pk: 'a', sk: 'b', text: 'ñ' } }));
  const s3 = new S3Client({ ...connection(stack.endpoints.s3, stack), forcePathStyle: true });
  await s3.send(
    new PutObjectCommand({ Bucket: stack.model.buckets[0], Key: 'org/run/π.gz', Body: Buffer.from([1, 0, 255]) }),
  );
};
const item = async (stack: TinyStack): Promise<unknown> => {
  const { client, TableName } = tableOf(stack);
  return (await client.send(new GetCommand({ TableName, Key: { pk: 'a', sk: 'b' } }))).Item;
};
const object = async (stack: TinyStack): Promise<Uint8Array | undefined> => {
  const s3 = new S3Client({ ...connection(stack.endpoints.s3, stack), forcePathStyle: true });
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: stack.model.buckets[0], Key: 'org/run/π.gz' }));
  return Body?.transformToByteArray();
};

test('table, objects, secrets and time survive a restart', async () => {
  const dataFolder = temporaryFolder();
  const first = await startTinyStack({ dataFolder });
  await put(first);
  first.clock.advance(86_400_000);
  const [leftAtMs, secret] = [first.clock.nowMs(), first.issuer.secret];
  const key = readFileSync(first.encryptionKeyFile, 'utf8');
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(statSync(first.encryptionKeyFile).mode & 0o777).toBe(0o600);
  await first.close();
  expect(existsSync(join(dataFolder, 'runner.json'))).toBe(false);

  const second = await startTinyStack({ dataFolder });
  try {
    expect(await item(second)).toEqual({ pk: 'a', sk: 'b', text: 'ñ' });
    expect([...((await object(second)) ?? [])]).toEqual([1, 0, 255]);
    expect(second.clock.nowMs()).toBeGreaterThanOrEqual(leftAtMs);
    expect(second.issuer.secret).toBe(secret);
    expect(readFileSync(second.encryptionKeyFile, 'utf8')).toBe(key);
  } finally {
    await second.close();
  }
}, 60_000);

test('a killed runner leaves a table server behind: the next start ends it and has its data', async () => {
  const dataFolder = temporaryFolder();
  const runner = spawn(process.execPath, [join(import.meta.dirname, 'tiny-app/run.ts'), tinyAssembly(), dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) =>
    runner.stdout.once('data', (chunk: Buffer) => resolve(String(chunk))),
  );
  const { apiUrl, dynamoPid } = JSON.parse(line) as { apiUrl: string; dynamoPid: number };
  expect((await fetch(`${apiUrl}/items/fixed`)).status).toBe(200);
  await expect(startTinyStack({ dataFolder })).rejects.toThrow(`process ${runner.pid}) already runs on`);

  const ended = new Promise((resolve) => runner.once('exit', resolve));
  runner.kill('SIGKILL');
  await ended;
  expect(readCommandLine(dynamoPid)).toContain(dataFolder);

  const stack = await startTinyStack({ dataFolder });
  try {
    expect(readCommandLine(dynamoPid) ?? '').not.toContain(dataFolder);
    await put(stack);
    expect(await item(stack)).toBeDefined();
  } finally {
    await stack.close();
  }
}, 60_000);

test('a table server that dies is reported once, and scripts no longer take the stack for ready', async () => {
  const dataFolder = temporaryFolder();
  const told: string[] = [];
  const lost = Promise.withResolvers<void>();
  const onLost = (reason: string) => {
    told.push(reason);
    lost.resolve();
  };
  const stack = await startTinyStack({ dataFolder, onLost });
  try {
    writeFileSync(join(dataFolder, STACK_FILE), '{}');
    process.kill(stack.dynamoPid!, 'SIGKILL');
    await lost.promise;
    expect(existsSync(join(dataFolder, STACK_FILE))).toBe(false);
  } finally {
    await stack.close();
  }
  expect(told).toEqual([expect.stringMatching(/^the table process ended \(SIGKILL\); see \S+dynoxide\.log$/)]);
});

test('a stack that is closed has lost nothing', async () => {
  const onLost = vi.fn();
  const stack = await startTinyStack({ onLost });
  await stack.close();
  expect(onLost).not.toHaveBeenCalled();
});

test('one runner at a time on a data folder', async () => {
  const dataFolder = temporaryFolder();
  const stack = await startTinyStack({ dataFolder });
  try {
    await expect(startTinyStack({ dataFolder })).rejects.toThrow('already runs on');
    expect(await item(stack)).toBeUndefined();
  } finally {
    await stack.close();
  }
});

test('a start that fails leaves nothing behind', async () => {
  const dataFolder = temporaryFolder();
  await expect(startTinyStack({ dataFolder, assemblyFolder: '/nowhere' })).rejects.toThrow('cannot be read');
  const stack = await startTinyStack({ dataFolder });
  await stack.close();
});

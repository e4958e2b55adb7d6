/**
 * The function that empties a bucket: it deletes everything while its stack is being deleted, and nothing otherwise.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { CloudFormationCustomResourceEvent as Asked, Context } from 'aws-lambda';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#functions/empty-bucket/handler.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { captureLog } from '#test/helpers/log-lines.ts';

const EVENT = join(import.meta.dirname, '../../../events/empty-bucket.deleted.json');
const event = (): Asked => JSON.parse(readFileSync(EVENT, 'utf8')) as Asked;
const BUCKET = event().ResourceProperties.bucket as string;

const s3 = mockAwsClient(S3Client);
afterAll(() => s3.restore());

let told: Record<string, string>[];
/** CloudFormation's answer about the stack. */
let stack: { status: number; body: string };
let asked: string[];
let server: Server;
let url: string;
let objects: string[];

const becomes = (status: string) => {
  stack = { status: 200, body: `<Stacks><member><StackStatus>${status}</StackStatus></member></Stacks>` };
};

beforeEach(async () => {
  s3.reset();
  [told, asked, objects] = [[], [], Array.from({ length: 2_500 }, (_, at) => `tenant/${at}`)];
  becomes('DELETE_IN_PROGRESS');
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (request.method === 'PUT') {
      told.push(JSON.parse(body));
      response.end();
      return;
    }
    asked.push(body);
    response.writeHead(stack.status).end(stack.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', url);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  s3.on(ListObjectsV2Command, { Bucket: BUCKET }).callsFake(async ({ MaxKeys }) => ({
    Contents: objects.slice(0, MaxKeys).map((Key) => ({ Key })),
  }));
  s3.on(DeleteObjectsCommand, { Bucket: BUCKET }).callsFake(async ({ Delete }) => {
    const gone = new Set(Delete.Objects.map(({ Key }: { Key: string }) => Key));
    // S3 refuses in the same way.
    if (gone.size > 1_000) throw Object.assign(new Error('no'), { name: 'MalformedXML' });
    objects = objects.filter((key) => !gone.has(key));
    return {};
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

/** @param remainingMs remaining time of the invocation, at each request for it */
const ask = (changes: object = {}, remainingMs = [800_000]): Promise<void> => {
  const left = () => (remainingMs.length > 1 ? remainingMs.shift()! : remainingMs[0]!);
  const context = { getRemainingTimeInMillis: left } as Context;
  return handler({ ...event(), ResponseURL: `${url}/answer`, ...changes } as Asked, context);
};

test('a stack that is deleted: 2,500 objects are deleted, and CloudFormation is notified', async () => {
  await ask();
  expect(objects).toEqual([]);
  expect(asked.map((body) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
    { Action: 'DescribeStacks', Version: '2010-05-15', StackName: event().StackId },
  ]);
  expect(told).toEqual([expect.objectContaining({ Status: 'SUCCESS', PhysicalResourceId: BUCKET })]);
});

test('of another bucket that replaced it nothing is deleted: only the bucket at its creation counts', async () => {
  await ask({ ResourceProperties: { ...event().ResourceProperties, bucket: 'the-new-one' } });
  expect(objects).toEqual([]);
  expect(new Set(s3.calls().map(({ args: [{ input }] }) => (input as { Bucket: string }).Bucket))).toEqual(
    new Set([BUCKET]),
  );
});

test.each([
  'UPDATE_IN_PROGRESS',
  'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
  'UPDATE_ROLLBACK_IN_PROGRESS',
  'ROLLBACK_IN_PROGRESS',
  'CREATE_COMPLETE',
])('a stack in %s loses nothing, though its resource goes', async (status) => {
  becomes(status);
  await ask();
  expect(s3.calls()).toEqual([]);
  expect(told).toEqual([expect.objectContaining({ Status: 'SUCCESS' })]);
});

test.each([
  ['refuses', 403, '<Error/>'],
  ['does not know the stack', 400, '<StackStatus>DELETE_IN_PROGRESS</StackStatus>'],
  ['says something else', 200, '<Stacks/>'],
])('where CloudFormation %s nothing is removed, and the deletion fails', async (_, status, body) => {
  stack = { status, body };
  captureLog();
  await ask();
  expect(s3.calls()).toEqual([]);
  expect(told).toEqual([expect.objectContaining({ Status: 'FAILED' })]);
  expect(told[0]?.Reason).toContain(
    `StackUnknown: CloudFormation was asked what becomes of the stack and answered ${status}`,
  );
});

test.each(['Create', 'Update'])('%s removes nothing and asks nothing', async (RequestType) => {
  await ask({ RequestType });
  expect(objects).toHaveLength(2_500);
  expect(asked).toEqual([]);
  expect(told).toEqual([expect.objectContaining({ Status: 'SUCCESS', PhysicalResourceId: BUCKET })]);
});

test('a resource without a bucket gives a failure at once', async () => {
  captureLog();
  await ask({ RequestType: 'Create', ResourceProperties: {} });
  expect(told).toEqual([expect.objectContaining({ Status: 'FAILED' })]);
});

describe('when it cannot', () => {
  test('end in time it reports its progress, and the next one continues', async () => {
    captureLog();
    await ask({}, [800_000, 59_000]);
    expect(objects).toHaveLength(500);
    expect(told[0]?.Reason).toContain(
      `2000 objects of ${BUCKET} are removed and more are left: delete the stack again`,
    );
    await ask();
    expect(objects).toEqual([]);
    expect(told[1]?.Status).toBe('SUCCESS');
  });

  test('remove an object it says so, rather than go round for ever', async () => {
    s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'a', Code: 'AccessDenied' }] });
    captureLog();
    await ask();
    expect(s3.commandCalls(DeleteObjectsCommand)).toHaveLength(1);
    expect(told[0]?.Reason).toContain('1 files could not be removed, the first with AccessDenied');
  });

  test('find the bucket, somebody deleted it by hand: done', async () => {
    s3.on(ListObjectsV2Command).rejects(Object.assign(new Error('no'), { name: 'NoSuchBucket' }));
    await ask();
    expect(told[0]?.Status).toBe('SUCCESS');
  });
});

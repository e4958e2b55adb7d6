/**
 * The function that writes the page's files into their bucket: the order, the headers for browsers, and the answer to
 * CloudFormation.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CopyObjectCommand, DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { CloudFormationCustomResourceEvent as Asked } from 'aws-lambda';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/publish-dashboard/handler.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { captureLog } from '#test/helpers/log-lines.ts';

const EVENT = join(import.meta.dirname, '../../../events/publish-dashboard.changed.json');
const event = (): Asked => JSON.parse(readFileSync(EVENT, 'utf8')) as Asked;
const { bucket, assetBucket, parts } = event().ResourceProperties;
const SECRET = 'signature-that-opens-the-address';

interface Told {
  method: string;
  contentType: string | undefined;
  body: Record<string, string>;
}

const s3 = mockAwsClient(S3Client);
afterAll(() => s3.restore());
let told: Told[];
let status: number;
let server: Server;
let url: string;

beforeEach(async () => {
  s3.reset();
  [told, status] = [[], 200];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const contentType = request.headers['content-type'];
    told.push({ method: request.method!, contentType, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer?X-Amz-Signature=${SECRET}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (changes: object = {}): Promise<void> => handler({ ...event(), ResponseURL: url, ...changes } as Asked);
const ids = { StackId: event().StackId, RequestId: event().RequestId, LogicalResourceId: 'PublishDashboardFiles' };
const failing = (name: string, message = 'no') => Object.assign(new Error(message), { name });

describe.each(['Create', 'Update'])('%s', (RequestType) => {
  test('copies every file, with its headers for browsers, and sends the answer to the requested address', async () => {
    s3.on(CopyObjectCommand).resolves({});
    await ask({ RequestType });
    const copied = s3.commandCalls(CopyObjectCommand).map(({ args: [{ input }] }) => input);
    const wanted = parts.flatMap(({ cacheControl, files }: (typeof parts)[number]) =>
      files.map(({ key, asset, contentType }: Record<string, string>) => ({
        Bucket: bucket,
        Key: key,
        CopySource: `${assetBucket}/${asset}`,
        MetadataDirective: 'REPLACE',
        ContentType: contentType,
        CacheControl: cacheControl,
      })),
    );
    expect(copied).toHaveLength(4);
    expect(new Set(copied.map((each) => JSON.stringify(each)))).toEqual(
      new Set(wanted.map((each: object) => JSON.stringify(each))),
    );
    // A content type would not match the signature of the address.
    expect(told).toEqual([
      {
        method: 'PUT',
        contentType: undefined,
        body: { ...ids, PhysicalResourceId: bucket, Status: 'SUCCESS' },
      },
    ]);
    expect(s3.commandCalls(DeleteObjectsCommand)).toEqual([]);
  });
});

test('the page is touched only when all that it names is there', async () => {
  const there: string[] = [];
  s3.on(CopyObjectCommand).callsFake(async ({ Key }) => {
    if (Key === 'index.html')
      expect(there.toSorted()).toEqual(['assets/index-B1XQfe4H.css', 'assets/index-BMSe0KA8.js']);
    await sleep(Key.endsWith('.css') ? 30 : 1);
    there.push(Key);
    return {};
  });
  await ask();
  expect(told[0]?.body.Status).toBe('SUCCESS');
  expect(there).toHaveLength(4);
});

test('a file that cannot be copied leaves the page unchanged, and the operator learns why', async () => {
  s3.on(CopyObjectCommand).resolves({});
  s3.on(CopyObjectCommand, { Key: 'assets/index-B1XQfe4H.css' }).rejects(failing('NoSuchKey', 'x'.repeat(9_000)));
  const log = captureLog();
  await ask();
  const pages = s3.commandCalls(CopyObjectCommand).filter(({ args: [{ input }] }) => !input.Key?.startsWith('assets/'));
  expect(pages).toEqual([]);
  const [{ body } = { body: {} as Record<string, string> }] = told;
  expect(body).toMatchObject({ ...ids, PhysicalResourceId: bucket, Status: 'FAILED' });
  expect(body.Reason).toMatch(/^NoSuchKey: x+$/);
  // CloudFormation accepts at most 4 KB.
  expect(JSON.stringify(body).length).toBeLessThan(4_096);
  expect(log.text()).toContain('NoSuchKey');
  expect(log.text()).not.toContain(SECRET);
});

test('properties of another form give a failure at once', async () => {
  captureLog();
  await ask({ ResourceProperties: { ...event().ResourceProperties, parts: [] } });
  expect(told[0]?.body).toMatchObject({ Status: 'FAILED', PhysicalResourceId: bucket });
});

describe('Delete', () => {
  const gone = { RequestType: 'Delete', PhysicalResourceId: 'the-old-bucket' };

  test('empties the bucket of its stack, with any present properties and any number of objects', async () => {
    const files = Array.from({ length: 2_500 }, (_, at) => `assets/${at}.js`);
    s3.on(ListObjectsV2Command, { Bucket: 'the-old-bucket' }).callsFake(async ({ MaxKeys }) => ({
      Contents: files.slice(0, MaxKeys).map((Key) => ({ Key })),
    }));
    s3.on(DeleteObjectsCommand, { Bucket: 'the-old-bucket' }).callsFake(async ({ Delete }) => {
      files.splice(0, Delete.Objects.length);
      return {};
    });
    await ask(gone);
    expect(files).toEqual([]);
    expect(s3.commandCalls(CopyObjectCommand)).toEqual([]);
    expect(told[0]?.body).toEqual({ ...ids, PhysicalResourceId: 'the-old-bucket', Status: 'SUCCESS' });
  });

  test('says so when files stay, rather than go round for ever', async () => {
    s3.on(ListObjectsV2Command).resolves({ Contents: [{ Key: 'a' }] });
    s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'a', Code: 'AccessDenied' }] });
    captureLog();
    await ask(gone);
    expect(s3.commandCalls(DeleteObjectsCommand)).toHaveLength(1);
    expect(told[0]?.body.Status).toBe('FAILED');
    expect(told[0]?.body.Reason).toContain('1 files could not be removed, the first with AccessDenied');
  });

  test('is done when somebody deleted the bucket by hand', async () => {
    s3.on(ListObjectsV2Command).rejects(failing('NoSuchBucket'));
    await ask(gone);
    expect(told[0]?.body.Status).toBe('SUCCESS');
  });

  test('is not done when the bucket may not be listed', async () => {
    s3.on(ListObjectsV2Command).rejects(failing('AccessDenied'));
    captureLog();
    await ask(gone);
    expect(told[0]?.body.Status).toBe('FAILED');
  });
});

test('an answer that is not taken is an error of the function, so that Lambda asks again', async () => {
  s3.on(CopyObjectCommand).resolves({});
  status = 503;
  await expect(ask()).rejects.toThrow('CloudFormation answered 503');
});

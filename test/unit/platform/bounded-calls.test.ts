/**
 * A service of AWS that hangs: every client makes a limited number of attempts, and gives up before the caller's time
 * is over.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { ENDPOINT_FUNCTIONS } from '#infra/manifest.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';

vi.mock('#shared/platform/limits.ts', async (load) => {
  const real = await load<typeof import('#shared/platform/limits.ts')>();
  const short = { awsConnectMs: 60, tableCallMs: 60, objectCallMs: 60, keyCallMs: 60 };
  return { ...real, PLATFORM_LIMITS: { ...real.PLATFORM_LIMITS, ...short } };
});
vi.mock('#shared/messaging/limits.ts', async (load) => {
  const real = await load<typeof import('#shared/messaging/limits.ts')>();
  return { ...real, MESSAGING_LIMITS: { ...real.MESSAGING_LIMITS, queueCallMs: 60 } };
});

let server: Server;
let asked: number;

/** Whether it hangs without any answer, or in the middle of its answer. */
const hang = { inTheMiddle: false };

beforeEach(async () => {
  asked = 0;
  hang.inTheMiddle = false;
  server = createServer((_request, response) => {
    if (hang.inTheMiddle) response.writeHead(200, { 'content-length': '1000' }).write('x');
  });
  // A call that timed out closes its connection. Connections are counted, because a busy machine may read no request
  // from them.
  server.on('connection', () => asked++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const service of ['DYNAMODB', 'SQS', 'S3', 'KMS']) vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('TABLE_NAME', 'table');
  vi.stubEnv('RAW_BUCKET_NAME', 'bucket');
  vi.stubEnv('QUEUE_URL_PREFIX', `${endpoint}/0/`);
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

describe('a service that does not answer', () => {
  test('the table', async () => {
    const table = await import('#shared/table/table.ts');
    await expect(table.get({ pk: 'a', sk: 'b' })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(asked).toBe(PLATFORM_LIMITS.awsAttemptsMax);
  });

  test('a queue: the message is left to the sweeper', async () => {
    const { send } = await import('#shared/messaging/send.ts');
    await send('purges', { organizationId: randomUUID(), connectionId: randomUUID(), generation: 0 });
    expect(asked).toBe(PLATFORM_LIMITS.awsAttemptsMax);
  });

  test('the key of the secrets', async () => {
    vi.stubEnv('ENCRYPTION_KEY_ARN', `arn:aws:kms:us-east-1:000000000000:key/${randomUUID()}`);
    const { encryptSecret } = await import('#shared/platform/crypto.ts');
    const failed = encryptSecret('o', 'webhook/w', 'secret');
    await expect(failed).rejects.toMatchObject({ name: 'KeyUnanswered', cause: { name: 'TimeoutError' } });
    expect(asked).toBe(PLATFORM_LIMITS.awsAttemptsMax);
  });

  test('a bucket', async () => {
    const answers = await import('#shared/sync/reading/raw-answer.store.ts');
    await expect(answers.get('o', 'c', 'id')).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(asked).toBe(PLATFORM_LIMITS.awsAttemptsMax);
  });

  test('a bucket, in the middle of an object', async () => {
    hang.inTheMiddle = true;
    const answers = await import('#shared/sync/reading/raw-answer.store.ts');
    await expect(answers.get('o', 'c', 'id')).rejects.toThrow();
  });
});

describe('who asked is answered by what may be repeated', () => {
  const statusOf = async (method: 'GET' | 'PUT'): Promise<[number, string | undefined]> => {
    const { defineEndpoint } = await import('#shared/http/contract.ts');
    const { endpoint } = await import('#shared/http/endpoint.ts');
    const { call } = await import('#test/helpers/http.ts');
    const table = await import('#shared/table/table.ts');
    const declared = defineEndpoint({
      id: 'test-endpoint',
      method: 'GET',
      path: '/things',
      tag: 'Test',
      summary: '',
      description: '',
      auth: 'public',
      responses: { 200: z.object({}) },
      errors: [],
      needs: ['table:read'],
    });
    const contract = { ...declared, method };
    const handler = endpoint(contract, async () => {
      await table.get({ pk: 'a', sk: 'b' });
      return { status: 200, body: {} };
    });
    const { status, headers } = await call(contract, handler);
    return [status, headers['retry-after']];
  };

  test.each([
    ['does not answer', undefined],
    ['breaks down', 500],
    ['is closed', 503],
  ])('a table that %s: a read is 503, a write 500', async (_, status) => {
    if (status !== undefined) server.on('request', (_request, response) => response.writeHead(status).end('{}'));
    expect(await statusOf('GET')).toEqual([503, '2']);
    expect(await statusOf('PUT')).toEqual([500, undefined]);
  });

  test('a call that the table finds wrong is our fault: 500', async () => {
    const fault = JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#ValidationException' });
    server.on('request', (_request, response) => response.writeHead(400).end(fault));
    expect(await statusOf('GET')).toEqual([500, undefined]);
  });
});

describe('the worst case of a call', async () => {
  const real = {
    ...(await vi.importActual<typeof import('#shared/platform/limits.ts')>('#shared/platform/limits.ts'))
      .PLATFORM_LIMITS,
    ...(await vi.importActual<typeof import('#shared/messaging/limits.ts')>('#shared/messaging/limits.ts'))
      .MESSAGING_LIMITS,
    ...SYNC_LIMITS,
    ...TABLE_LIMITS,
  };
  /** The SDK waits between attempts: when throttled, from half a second, doubled each time. */
  const worstMs = (callMs: number): number =>
    Array.from({ length: real.awsAttemptsMax - 1 }, (_, n) => 500 * 2 ** (n + 1)).reduce(
      (sum, waitMs) => sum + waitMs,
      real.awsAttemptsMax * callMs,
    );

  test('a write to the table is given up before another worker may take the lease', () => {
    expect(worstMs(real.tableCallMs)).toBeLessThan(real.leaseMarginMs);
  });

  test('an endpoint whose table or queue hangs still answers itself', () => {
    const timeoutSeconds = Math.min(...ENDPOINT_FUNCTIONS.map((fn) => fn.timeoutSeconds));
    expect(worstMs(real.tableCallMs) + worstMs(real.queueCallMs)).toBeLessThan(timeoutSeconds * 1_000);
  });

  test('an object ends within what is left of an invocation that hands over', () => {
    expect(worstMs(real.objectCallMs)).toBeLessThan(real.invocationMarginMs);
  });
});

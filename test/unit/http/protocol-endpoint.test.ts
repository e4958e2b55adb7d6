import { gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { defineProtocolEndpoint } from '#shared/http/protocol-contract.ts';
import {
  ProtocolError,
  type ProtocolLogic,
  type ProtocolRequest,
  protocolEndpoint,
} from '#shared/http/protocol-endpoint.ts';
import { log } from '#shared/platform/logger.ts';
import { answered, context, eventOf } from '#test/helpers/http.ts';
import { captureLog } from '#test/helpers/log-lines.ts';

const contract = defineProtocolEndpoint({
  id: 'speak-standard',
  routes: [{ method: 'POST', path: '/api/standard' }],
  summary: 'Speaks a standard',
  bodyBytesMax: 64,
  showsSecrets: false,
  failures: { internal: { error: 'server_error' }, tooLarge: { error: 'too_large' } },
  needs: [],
});

const linesOf = async (work: () => Promise<unknown>): Promise<unknown[]> => {
  const captured = captureLog();
  try {
    await work();
  } finally {
    vi.restoreAllMocks();
  }
  const text = captured.text().trim();
  return text.split('\n').map((line) => JSON.parse(line) as unknown);
};

const POST = { method: 'POST', path: '/api/standard' };

const spoken = (logic: ProtocolLogic, request: Partial<Parameters<typeof eventOf>[0]> = {}) =>
  answered(protocolEndpoint(contract, logic), eventOf({ ...POST, ...request }));

const seen = async (request: Partial<Parameters<typeof eventOf>[0]>): Promise<ProtocolRequest> => {
  let met: ProtocolRequest | undefined;
  await spoken(async (each) => {
    met = each;
    return { status: 204 };
  }, request);
  return met!;
};

describe('what the logic is handed', () => {
  test('method, path, query, headers and bytes; no cookie', async () => {
    const request = await seen({
      query: 'a=1&a=2',
      headers: { 'x-request-id': 'mine', cookie: 'sb-access-token=x' },
      cookies: ['sb-access-token=x'],
      body: 'text',
    });
    expect(request).toMatchObject({ ...POST, requestId: 'mine', rawQuery: 'a=1&a=2' });
    expect(Buffer.from(request.body).toString()).toBe('text');
    expect(JSON.stringify(request.headers)).not.toContain('sb-access-token');
  });

  test('bytes also if the gateway encoded them, and none without a body', async () => {
    const packed = await seen({ body: Buffer.from([0xff, 0]).toString('base64'), isBase64Encoded: true });
    expect([...packed.body]).toEqual([0xff, 0]);
    expect((await seen({})).body).toHaveLength(0);
  });
});

describe('what goes back', () => {
  test('JSON, a text as it is, or nothing: each with id, no-store and security headers', async () => {
    const json = await spoken(async () => ({ status: 200, body: { a: 1 } }), { headers: { 'x-request-id': 'mine' } });
    expect(json).toMatchObject({ status: 200, body: { a: 1 } });
    expect(json.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-request-id': 'mine',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'strict-transport-security': expect.any(String),
    });
    const text = await spoken(async () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: 'a',
    }));
    expect([text.text, text.headers['content-type']]).toEqual(['a', 'text/event-stream']);
    const none = await spoken(async () => ({ status: 202 }));
    expect([none.status, none.text, none.headers['content-type']]).toEqual([202, '', undefined]);
  });

  test('headers of the logic come before those of every answer', async () => {
    const { headers } = await spoken(async () => ({
      status: 200,
      headers: { 'cache-control': 'max-age=300' },
      body: {},
    }));
    expect(headers['cache-control']).toBe('max-age=300');
  });

  test('a long answer is packed where the caller takes it, but never one that shows a secret', async () => {
    const long = { status: 200, body: { text: 'a'.repeat(5_000) } };
    const event = () => eventOf({ ...POST, headers: { 'accept-encoding': 'gzip' } });
    const packed = await protocolEndpoint(contract, async () => long)(event(), context);
    expect(gunzipSync(Buffer.from(packed.body!, 'base64')).toString()).toBe(JSON.stringify(long.body));
    const secret = await protocolEndpoint({ ...contract, showsSecrets: true }, async () => long)(event(), context);
    expect(secret.body).toBe(JSON.stringify(long.body));
  });
});

describe('what fails', () => {
  test('a refusal of the logic is its answer, with the headers of every answer', async () => {
    const answer = { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: { error: 'invalid_client' } };
    const refused = await spoken(async () => {
      throw new ProtocolError('unknown client', answer);
    });
    expect(refused).toMatchObject({ status: 401, body: answer.body });
    expect(refused.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' });
  });

  test('a body above the limit is 413 and never reaches the logic', async () => {
    const over = await spoken(async () => expect.unreachable(), { body: 'x'.repeat(65) });
    expect(over).toMatchObject({ status: 413, body: contract.failures.tooLarge });
    expect(await spoken(async () => ({ status: 204 }), { body: 'x'.repeat(64) })).toMatchObject({ status: 204 });
  });

  test('any other error is a fixed 500; the log names its place and none of its text', async () => {
    const lines = await linesOf(async () => {
      const failed = await spoken(
        async () => {
          throw new Error('a secret');
        },
        { headers: { 'x-request-id': 'mine' } },
      );
      expect(failed).toMatchObject({ status: 500, body: contract.failures.internal });
      expect(failed.headers['x-request-id']).toBe('mine');
    });
    expect(lines).toEqual([
      expect.objectContaining({ level: 'ERROR', request_id: 'mine', operation: 'speak-standard', error_name: 'Error' }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('lines of the logic carry id and operation', async () => {
    const lines = await linesOf(() =>
      spoken(
        async () => {
          log.info('worked');
          return { status: 204 };
        },
        { headers: { 'x-request-id': 'mine' } },
      ),
    );
    expect(lines).toEqual([expect.objectContaining({ request_id: 'mine', operation: 'speak-standard' })]);
  });
});

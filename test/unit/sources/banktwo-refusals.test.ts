/** How answers without data are classified (banks.md §3.2), and how the client behaves between two calls. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { askedPauseMs } from '#shared/sources/banktwo/client.ts';
import { BankCursorExpired, requireData, requireToken } from '#shared/sources/banktwo/refusals.ts';
import { source } from '#shared/sources/banktwo/source.ts';
import type { HttpResponse } from '#shared/sources/http/client.ts';
import type { SourceError } from '#shared/sources/source.ts';
import { createAsk, createIo, NOW_MS } from './ask.ts';
import { clientOf, clock, failureOf, knobs, pullBalances } from './banktwo-stage.ts';

const PAGE = '<!DOCTYPE html><html><body>Presentamos intermitencias</body></html>';
const code = (value: string) => JSON.stringify({ code: value, message: 'SECRETO 12345678', traceId: 'x' });
const error = (value: string) => JSON.stringify({ error: value, error_description: 'SECRETO 12345678' });

const answerOf = (status: number, text: string, headers: Record<string, string> = {}): HttpResponse => {
  const body = new TextEncoder().encode(text);
  return { status, headers, contentType: null, body, text: () => text, visited: [] };
};

const thrownBy = (work: () => void): unknown => {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
};

describe('data', () => {
  const refusal = (...of: Parameters<typeof answerOf>) => thrownBy(() => requireData('x', answerOf(...of), NOW_MS));

  test.each([
    [400, code('VALIDATION'), 'source.unexpected_response'],
    [422, code('WINDOW_TOO_LARGE'), 'source.unexpected_response'],
    [403, code('SCOPE'), 'source.wrong_company'],
    [403, code('CLIENT_CODE'), 'source.wrong_company'],
    [403, code('OTHER'), 'source.unexpected_response'],
    [403, PAGE, 'source.blocked'],
    [403, '', 'source.blocked'],
    [404, code('ACCOUNT_NOT_FOUND'), 'source.wrong_company'],
    [404, code('NOT_FOUND'), 'source.unexpected_response'],
    [404, PAGE, 'source.unexpected_response'],
    [409, code('OTHER'), 'source.unexpected_response'],
    [429, code('RATE_LIMIT'), 'source.rate_limited'],
    [429, 'Too Many Requests', 'source.rate_limited'],
    [500, code('UPSTREAM'), 'source.unavailable'],
    [502, PAGE, 'source.unavailable'],
    [503, code('MAINTENANCE'), 'source.maintenance'],
    [503, PAGE, 'source.unavailable'],
    [504, '', 'source.unavailable'],
    [200, PAGE, 'source.unavailable'],
    [302, PAGE, 'source.unavailable'],
    [204, '', 'source.unexpected_response'],
    [418, code('TEAPOT'), 'source.unexpected_response'],
  ])('%d %s: %s', (status, text, wanted) => {
    const failure = refusal(status, text);
    expect(failure).toMatchObject({ name: 'SourceError', code: wanted });
    expect((failure as Error).message).not.toMatch(/SECRETO|\d{5}/);
  });

  test.each([code('INVALID_TOKEN'), error('invalid_token'), PAGE, ''])('401 %s: the session ended', (text) => {
    expect(refusal(401, text)).toMatchObject({ name: 'SessionExpired' });
  });

  test('409 CURSOR_EXPIRED, guarded or not: the window begins again', () => {
    expect(refusal(409, code('CURSOR_EXPIRED'))).toBeInstanceOf(BankCursorExpired);
    expect(refusal(409, `)]}',\n${code('CURSOR_EXPIRED')}`)).toBeInstanceOf(BankCursorExpired);
  });

  test('200 with JSON is data', () => expect(refusal(200, '{}')).toBeUndefined());

  test.each([
    [429, { 'retry-after': '7' }, 7_000],
    [429, {}, 60_000],
    [503, { 'retry-after': '1800' }, 1_800_000],
    [503, {}, undefined],
  ])('%d %j is waited for %s ms', (status, headers, ms) => {
    const text = code(status === 429 ? 'RATE_LIMIT' : 'MAINTENANCE');
    expect(refusal(status, text, headers as Record<string, string>)).toMatchObject({ retryAfterMs: ms });
  });
});

describe('tokens', () => {
  test.each([
    [401, error('invalid_client'), 'source.invalid_credentials'],
    [400, error('invalid_client'), 'source.unexpected_response'],
    [403, error('invalid_client'), 'source.blocked'],
    [401, error('invalid_token'), 'source.blocked'],
    [401, code('INVALID_TOKEN'), 'source.blocked'],
    [401, '', 'source.blocked'],
    [401, PAGE, 'source.blocked'],
    [400, error('invalid_scope'), 'source.consent_expired'],
    [400, error('unauthorized_client'), 'source.login_not_allowed'],
    [400, error('invalid_request'), 'source.unexpected_response'],
    [403, PAGE, 'source.blocked'],
    [429, '', 'source.rate_limited'],
    [503, code('MAINTENANCE'), 'source.maintenance'],
    [500, PAGE, 'source.unavailable'],
    [200, PAGE, 'source.unavailable'],
    [404, '', 'source.unexpected_response'],
  ])('%d %s: %s', (status, text, wanted) => {
    const failure = thrownBy(() => requireToken('token', answerOf(status, text), NOW_MS));
    expect(failure).toMatchObject({ name: 'SourceError', code: wanted });
    expect((failure as Error).message).not.toMatch(/SECRETO|\d{5}/);
  });
});

/** A bank with a fixed answer, for behaviour that the sandbox never shows. */
const withBank = async (listener: RequestListener, work: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

const { credentials, metadata } = clientOf('works');

describe('token answers', () => {
  const connect = (body: unknown) => {
    let failure: unknown;
    let session: unknown;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return withBank(
      (_request, response) => response.end(text),
      async (url) => {
        failure = await failureOf(async () => {
          session = await source.connect({ credentials, metadata }, createIo(url));
        });
      },
    ).then(() => ({ failure, session }));
  };
  const TOKEN = { access_token: 'eyJ-invented', token_type: 'bearer', expires_in: 1800 };

  test.each([
    [TOKEN, NOW_MS + 1_440_000],
    [{ ...TOKEN, expires_in: '100' }, NOW_MS + 80_000],
    [{ ...TOKEN, expires_in: undefined }, null],
    [`)]}',\n${JSON.stringify({ ...TOKEN, extra: 1 })}`, NOW_MS + 1_440_000],
  ])('%j is taken', async (body, renewAtMs) => {
    expect((await connect(body)).session).toMatchObject({ accessToken: 'eyJ-invented', renewAtMs });
  });

  test.each([
    '{}',
    '[]',
    'null',
    '{"access_token":"eyJ-inv',
    { ...TOKEN, access_token: '' },
    { ...TOKEN, access_token: 'a b\r\nx: y' },
    { ...TOKEN, access_token: 7 },
    { accessToken: 'eyJ-invented', token_type: 'bearer' },
    { token: 'eyJ-invented', 'eyJ-invented': 1 },
    ['eyJ-invented'],
    'eyJ-invented',
    { ...TOKEN, token_type: 'mac' },
    { ...TOKEN, token_type: undefined },
    { ...TOKEN, expires_in: -1 },
    { ...TOKEN, expires_in: 'soon' },
  ])('%j is refused, and no token is stored', async (body) => {
    const { failure } = await connect(body);
    expect(failure).toMatchObject({ name: 'SourceError', code: 'source.unexpected_response' });
    const kept = (failure as SourceError).unread?.body;
    expect(kept === undefined ? '' : new TextDecoder().decode(kept)).not.toContain('eyJ');
    expect((failure as Error).message).not.toContain('eyJ');
  });

  test('of an unreadable one, status and names are stored', async () => {
    const { failure } = await connect({ accessToken: 'eyJ-invented', token_type: 'bearer', 'eyJ-key': 1 });
    const { unread } = failure as SourceError;
    expect(unread).toMatchObject({ request: { call: 'token' }, contentType: 'application/json' });
    expect(JSON.parse(new TextDecoder().decode(unread?.body))).toEqual({
      status: 200,
      keys: ['accessToken', 'token_type', '?'],
    });
  });
});

test('what is sent with a call, and the echo of its id', async () => {
  const seen: Record<string, unknown>[] = [];
  await withBank(
    (request, response) => {
      seen.push(request.headers);
      response.setHeader('x-request-id', 'f0000000-0000-4000-8000-000000000000');
      response.end('{"accounts":[]}');
    },
    async (url) => {
      const session = { accessToken: 'eyJ-invented', renewAtMs: null };
      const request = { scope: 'balances', period: null, credentials, metadata, input: {} };
      const failure = await failureOf(() =>
        source.pull(request, { session, ask: createAsk().ask, io: createIo(url), progress: () => {} }),
      );
      expect(failure).toMatchObject({ code: 'source.unexpected_response', unread: { request: { call: 'accounts' } } });
    },
  );
  expect(seen[0]).toMatchObject({
    authorization: 'Bearer eyJ-invented',
    'x-client-id': credentials.client_id,
    'x-client-code': credentials.company_rut.replace('-', '').padStart(11, '0'),
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

describe('the bank’s own count of requests', () => {
  test.each([
    ['0', '7', 7_000],
    ['0', '300', 60_000],
    ['0', String(NOW_MS / 1000 + 9), 9_000],
    ['0', String(NOW_MS / 1000 - 9), 0],
    ['3', '7', 0],
    ['', '7', 0],
    ['0', 'soon', 0],
    [undefined, undefined, 0],
  ])('remaining %s, reset %s: %d ms', (remaining, reset, ms) => {
    const headers: Record<string, string> = {
      ...(remaining !== undefined && { 'x-ratelimit-remaining': remaining }),
      ...(reset !== undefined && { 'x-ratelimit-reset': reset }),
    };
    expect(askedPauseMs(headers, NOW_MS)).toBe(ms);
  });

  test('is waited for before it is exceeded: four calls at two a minute', async () => {
    await knobs({ requestsPerMinute: 2, reset: true });
    const waits = clock.waits.length;
    try {
      expect((await pullBalances(clientOf('no_movements'))).rows).toHaveLength(3);
      expect(clock.waits.slice(waits)).toEqual([60_000]);
    } finally {
      await knobs({ requestsPerMinute: 0 });
    }
  });
});

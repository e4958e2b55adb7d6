/**
 * Bodies and paths that nobody sends by accident: never a 500, never a hang, always the envelope, and no input in the
 * answer.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import type { EndpointContract } from '#shared/http/contract.ts';
import type { Caller } from '#shared/http/endpoint.ts';
import { answerableCodes, readsBody } from '#shared/http/response/error-codes.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { sampled } from '#test/helpers/effort.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { call, type Request } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

let table: EngineTable;
let keyFile: { remove(): void };
let callers: Record<Caller['kind'], Credential>;

beforeAll(async () => {
  table = await startEngineTable();
  useSharedSecretIssuer();
  keyFile = useKeyFile();
  callers = await callersOf('11111111-1111-4111-8111-111111111111');
});
afterAll(async () => {
  keyFile.remove();
  await table.stop();
});

const send = async (contract: EndpointContract, request: Partial<Omit<Request, 'method' | 'path'>>) => {
  const credential = callers[contract.auth === 'session' ? 'session' : 'key'];
  const params = Object.fromEntries(Object.keys(contract.params).map((name) => [name, randomUUID()]));
  return call(contract, await handlerOf(contract.id), {
    ...request,
    ...credential,
    headers: { 'content-type': 'application/json', ...request.headers, ...credential.headers },
    params: { ...params, ...request.params },
  });
};

const CANARY = 'c4n4ry-v4lue';
const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

const BODIES: Record<string, string> = {
  'deep arrays': nested(1_000, '[', ']'),
  'deep objects': nested(1_000, '{"a":', '}'),
  'very deep arrays': nested(100_000, '[', ']'),
  'very deep in metadata': `{"name":"x","metadata":{"a":${nested(50_000, '[', ']')}}}`,
  'a repeated key': `{"name":"a","name":"${CANARY}"}`,
  'a prototype': '{"__proto__":{"admin":true}}',
  'a constructor': '{"constructor":{"prototype":{}}}',
  'half a surrogate pair': '{"name":"\\ud800"}',
  'dates that do not exist': '{"name":"x","expires_at":"2027-02-30T00:00:00Z","metadata":{"periods":["2026-13"]}}',
  'a date out of every range': '{"name":"x","expires_at":"9999-12-31T23:59:59-23:59"}',
  'a minute of 61 seconds': '{"name":"x","expires_at":"2027-06-30T23:59:60Z"}',
  'long texts': `{"name":"${'x'.repeat(10_000)}","url":"https://a.invalid/${'x'.repeat(10_000)}"}`,
  'many properties': JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, at]))),
  'many items': `{"scopes":[${'"rcv",'.repeat(20_000)}"rcv"],"enabled_scopes":[${'"rcv",'.repeat(5_000)}"rcv"]}`,
  'negative numbers': '{"frequency_minutes":-60,"enabled":true,"name":-0}',
  'control characters as they are': '{"name":"\u0001"}',
  blanks: ' \n\t ',
  'control characters': '{"name":"\\u0000\\u0001"}',
  'a huge number': '{"name":1e400,"frequency_minutes":-1e308}',
  'wrong types': `{"name":{},"url":[],"enabled":"${CANARY}","event_types":"x","scopes":1,"metadata":[],"enabled_scopes":{}}`,
  nulls: '{"name":null,"url":null,"enabled":null,"event_types":null,"metadata":null,"credentials":null}',
  'a byte order mark': '\ufeff{}',
  'two values': '{} {}',
  'a comment': '{/**/}',
  'no quotes': "{name:'x'}",
  text: `"${CANARY}"`,
  number: '1',
  null: 'null',
};

const those = (fits: (contract: EndpointContract) => boolean) =>
  sampled(ENDPOINTS.filter(fits), 3).map((contract) => [contract.id, contract] as const);

const expectEnvelope = (contract: EndpointContract, answer: Awaited<ReturnType<typeof send>>, what: string) => {
  expect(answer.status, `${contract.id}: ${what}: ${answer.text}`).toBeLessThan(500);
  if (answer.status < 400) return;
  expect(Object.keys(answer.body), what).toEqual(['error']);
  expect(Object.keys(answer.body.error), what).toEqual(['code', 'message']);
  expect(answerableCodes(contract), what).toContain(answer.body.error.code);
  expect(answer.text, what).not.toContain(CANARY);
};

test.each(those(readsBody))('%s: strange bodies', async (_, contract) => {
  for (const [what, body] of Object.entries(BODIES)) expectEnvelope(contract, await send(contract, { body }), what);
  const invalid = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]).toString('base64');
  const answer = await send(contract, { body: invalid, isBase64Encoded: true });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_json']);
});

/** A client sends Latin-1: the gateway replaces `ñ` with U+FFFD, and the lengths no longer agree. */
test.each(those(readsBody))('%s: text that was no UTF-8', async (_, contract) => {
  const sent = Buffer.from('{"name":"Compañía"}', 'latin1');
  const headers = { 'content-length': String(sent.length) };
  const answer = await send(contract, { body: sent.toString('utf8'), headers });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_json']);
});

test('a U+FFFD that was sent is one', async () => {
  const contract = ENDPOINTS.find(({ id }) => id === 'create-api-key')!;
  const body = '{"name":"a \ufffd"}';
  const answer = await send(contract, { body, headers: { 'content-length': String(Buffer.byteLength(body)) } });
  expect([answer.status, answer.body.data.name]).toEqual([201, 'a \ufffd']);
});

const TYPES = [
  'text/plain',
  'application/xml',
  'application/jsonx',
  'application/json-patch+json',
  'application/json, x',
  '',
];

test.each(those(readsBody))('%s: content types that are not JSON: 415', async (_, contract) => {
  for (const type of TYPES) {
    const answer = await send(contract, { body: '{}', headers: { 'content-type': type } });
    expect([answer.status, answer.body.error.code], type).toEqual([415, 'unsupported_media_type']);
  }
});

test.each(those((contract) => !readsBody(contract)))('%s: a body means nothing', async (_, contract) => {
  const [without, ...others] = await Promise.all(
    [{}, { body: '{' }, { body: 'x', headers: { 'content-type': 'text/plain' } }].map((request) =>
      send(contract, { ...request, params: { id: '4f9d3c52-7a1e-4b60-9c8d-000000000d1b' } }),
    ),
  );
  for (const answer of others) expect(answer.status).toBe(without!.status);
});

const HEADERS: Record<string, Record<string, string>> = {
  '300 headers': Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x-header-${at}`, 'x'])),
  'names of prototypes': JSON.parse('{"__proto__":"x","constructor":"x","tostring":"x"}'),
  'a request id of 5,000 characters': { 'x-request-id': 'x'.repeat(5_000) },
  'a request id that breaks lines': { 'x-request-id': 'a\r\nset-cookie: a=b' },
  'odd conditions': { 'if-none-match': '"x",'.repeat(1_000), range: 'bytes=5-1', 'accept-encoding': 'br;q=x,,' },
};

test.each(those(() => true))('%s: strange headers', async (_, contract) => {
  for (const [what, headers] of Object.entries(HEADERS)) {
    const answer = await send(contract, { headers, ...(readsBody(contract) ? { body: '{}' } : {}) });
    expectEnvelope(contract, answer, what);
    expect(answer.headers['x-request-id'], what).toMatch(/^[0-9a-f-]{36}$/);
  }
});

const COOKIES = [
  '=',
  'sb-access-token',
  'sb-access-token=',
  'sb-access-token=..',
  `a=${'x'.repeat(9_000)}`,
  '\u0000=ñ',
];

test.each(those(({ auth }) => auth !== 'public'))('%s: strange cookies: 401', async (_, contract) => {
  const answer = await call(contract, await handlerOf(contract.id), { cookies: COOKIES });
  expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
});

const IDS = [
  ' ',
  '%00',
  '\u0000',
  '../..',
  "' OR ''='",
  'x'.repeat(10_000),
  '🦊'.repeat(50),
  'ORG#x',
  '00000000000000000000000000000000',
];

test.each(those(({ params }) => Object.keys(params).length > 0))('%s: strange ids', async (_, contract) => {
  for (const name of Object.keys(contract.params))
    for (const id of IDS) {
      const answer = await send(contract, { params: { [name]: id }, ...(readsBody(contract) ? { body: '{}' } : {}) });
      expectEnvelope(contract, answer, `${name} ${JSON.stringify(id.slice(0, 20))}`);
      expect([400, 404, 422]).toContain(answer.status);
    }
});

const QUERIES = [
  'limit=1e3',
  'limit=%00',
  'offset=99999999999999999999',
  'limit=',
  'limit=-1',
  'limit=%zz',
  'limit=%ff',
  'limit[]=1',
  'offset=-9007199254740993',
  'period=2026-13',
  'to=0000-00-00',
  'q=%ED%A0%80',
  `${'x'.repeat(8_000)}=1`,
  'limit',
  '=',
  '&&&',
  '%',
  'from=2026-02-30',
  '__proto__=1',
];

test.each(those(({ query }) => query !== null))('%s: strange queries', async (_, contract) => {
  for (const query of QUERIES) expectEnvelope(contract, await send(contract, { query }), query);
});

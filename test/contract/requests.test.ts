/** Every endpoint: malformed ids, queries and bodies get the specified answer. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { type EndpointContract, isRepeatable, refusesUnknownQuery } from '#shared/http/contract.ts';
import type { Caller } from '#shared/http/endpoint.ts';
import { answerableCodes, readsBody } from '#shared/http/response/error-codes.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
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

const randomParams = (contract: EndpointContract): Record<string, string> =>
  Object.fromEntries(Object.keys(contract.params).map((name) => [name, randomUUID()]));

const send = async (contract: EndpointContract, request: Partial<Omit<Request, 'method' | 'path'>>) => {
  const credential = callers[contract.auth === 'session' ? 'session' : 'key'];
  const headers = { ...request.headers, ...credential.headers };
  const params = { ...randomParams(contract), ...request.params };
  return call(contract, await handlerOf(contract.id), { ...request, ...credential, headers, params });
};

const JSON_TYPE = { 'content-type': 'application/json' };

const those = (fits: (contract: EndpointContract) => boolean): [string, EndpointContract][] =>
  ENDPOINTS.filter(fits).map((contract) => [contract.id, contract]);

/** Every parameter whose rule has this key. */
const paramsWith = (rule: 'uuid' | 'unknown'): [string, string, EndpointContract][] =>
  ENDPOINTS.flatMap((contract) =>
    Object.entries(contract.params).flatMap(([name, its]): [string, string, EndpointContract][] =>
      rule in its ? [[contract.id, name, contract]] : [],
    ),
  );

test.each(paramsWith('uuid'))('%s: %s that is no UUID: 400', async (_, name, contract) => {
  const answer = await send(contract, { params: { [name]: 'not-a-uuid' } });
  expect(answer.status).toBe(400);
  expect(answer.body.error).toEqual({ code: 'validation_error', message: `${name} must be a UUID` });
});

// Existence is checked last, so only requests without a required body reach the check here.
const withoutBody = paramsWith('unknown').filter(([, , contract]) => contract.body === null || contract.bodyOptional);

test.each(withoutBody)('%s: %s that is no UUID is answered as an unknown one', async (_, name, contract) => {
  const answer = await send(contract, { params: { [name]: 'not-a-uuid' } });
  const rule = contract.params[name] as { unknown: string };
  expect([answer.status, answer.body.error.code]).toEqual([404, rule.unknown]);
  // Of several ids, the first unknown one is reported, regardless of the others.
  const isFirst = name === Object.keys(contract.params)[0];
  if (isFirst) expect((await send(contract, {})).text).toBe(answer.text);
});

test.each(those(refusesUnknownQuery))('%s: an unknown or repeated parameter: 400', async (_, contract) => {
  const unknown = await send(contract, { query: 'tpyo=1' });
  expect([unknown.status, unknown.body.error.message]).toEqual([
    400,
    `tpyo is not a known query parameter. Known: ${Object.keys(contract.query?.shape ?? {}).join(', ') || 'none'}.`,
  ]);
  for (const name of Object.keys(contract.query?.shape ?? {})) {
    const repeated = await send(contract, { query: `${name}=1&${name}=1` });
    expect([repeated.status, repeated.body.error.message]).toEqual([400, `${name} must be given once`]);
  }
});

test.each(those(readsBody))('%s: a body out of form: 415, 413, 400, 422', async (_, contract) => {
  const status = async (request: object) => (await send(contract, request)).status;
  expect(await status({ body: '{}', headers: { 'content-type': 'text/plain' } })).toBe(415);
  expect(await status({ body: `{"a":"${'x'.repeat(256 * 1024)}"}` })).toBe(413);
  expect(await status({ body: '{', headers: JSON_TYPE })).toBe(400);
  expect(await status({ body: '[]', headers: JSON_TYPE })).toBe(422);
  expect(await status({ body: { 'un-known': 1 } })).toBe(422);
  const isNeeded = contract.body !== null && !contract.bodyOptional;
  if (isNeeded) expect(await status({ body: '', headers: JSON_TYPE })).toBe(400);
});

test.each(those(isRepeatable))('%s: an Idempotency-Key out of form: 400', async (_, contract) => {
  const answer = await send(contract, { headers: { 'idempotency-key': 'ñ' } });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
});

test.each(those(() => true))('%s describes itself', (_, contract) => {
  // An unknown property is refused, which only a strict schema does.
  if (contract.body) expect(contract.body._zod.def.catchall?._zod.def.type).toBe('never');
  const inPath = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(inPath).toEqual(Object.keys(contract.params));
  expect(answerableCodes(contract)).toContain('internal_error');
  expect(contract.summary).not.toBe('');
  expect(contract.description).not.toBe('');
});

/** Clients in Go, Java and C# write null for an absent property. In a PATCH, null asks to clear, so it is refused. */
const optionalProperties = ENDPOINTS.flatMap(({ id, method, body }) =>
  Object.entries(method === 'PATCH' ? {} : (body?.shape ?? {}))
    .filter(([, schema]) => (schema as z.ZodType).safeParse(undefined).success)
    .map(([name, schema]) => [id, name, schema as z.ZodType] as const),
);

test('there are optional properties', () => {
  expect(optionalProperties.length).toBeGreaterThan(4);
});

test.each(optionalProperties)('%s: %s may be null', (_, __, schema) => {
  expect(schema.safeParse(null).success).toBe(true);
});

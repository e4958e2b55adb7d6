import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { contract as createKeyContract } from '#functions/api/api-keys/create-api-key/contract.ts';
import { handler as createKey } from '#functions/api/api-keys/create-api-key/handler.ts';
import { defineEndpoint } from '#shared/http/contract.ts';
import { type Answer, endpoint, type Logic } from '#shared/http/endpoint.ts';
import { claim } from '#shared/http/idempotency.store.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { tableText } from '#test/helpers/table-text.ts';

const OURS = '11111111-1111-4111-8111-111111111111';
const AT = Date.parse('2026-11-05T12:00:00.000Z');

const contract = defineEndpoint({
  id: 'test-create',
  method: 'POST',
  path: '/things/{id}',
  tag: 'Test',
  summary: '',
  description: '',
  auth: 'key',
  params: { id: { text: true } },
  body: z.strictObject({ a: z.int() }),
  responses: { 201: z.object({ id: z.string(), n: z.int() }) },
  errors: ['connection_disabled', 'connection_not_found', 'rate_limited'],
  needs: [],
});

let table: TestTable;
let keyFile: { remove(): void };
let key: Credential;
let other: Credential;
let session: Credential;

beforeAll(async () => {
  table = await startTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  plantClock(() => AT);
  ({ key, session } = await callersOf(OURS));
  other = (await callersOf('22222222-2222-4222-8222-222222222222')).key;
});
afterEach(() => plantClock(() => AT));
afterAll(async () => {
  plantClock(undefined);
  keyFile.remove();
  await table.stop();
});

let made = 0;
/** Counts how often the work is really done. */
const counting = (answer?: (n: number) => Answer | Promise<Answer>) => {
  const work = vi.fn();
  const logic: Logic<typeof contract> = async ({ newId }) => {
    work();
    const n = work.mock.calls.length;
    return answer ? answer(n) : { status: 201, body: { id: newId(), n } };
  };
  return { work, handler: endpoint(contract, logic), idempotencyKey: `key ${made++}` };
};

type Subject = ReturnType<typeof counting>;

const send = ({ handler, idempotencyKey }: Subject, body: unknown = { a: 1 }, who = key, id = 'x') =>
  call(contract, handler, {
    ...who,
    headers: { ...who.headers, 'idempotency-key': idempotencyKey },
    params: { id },
    body,
  });

const fail = (error: unknown) => (): Promise<Answer> => Promise.reject(error);

test('the first answer is given again, the work done once', async () => {
  const subject = counting();
  const first = await send(subject);
  const second = await send(subject);
  expect(first.status).toBe(201);
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  expect(subject.work).toHaveBeenCalledOnce();
});

test('another body: 409, after any result of the first', async () => {
  const subject = counting();
  await send(subject);
  const answer = await send(subject, { a: 2 });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'idempotency_key_reused']);
});

test('another path, organization or key is another request', async () => {
  const subject = counting();
  await send(subject);
  await send(subject, { a: 1 }, key, 'y');
  await send(subject, { a: 1 }, other);
  await send({ ...subject, idempotencyKey: 'another' });
  expect(subject.work).toHaveBeenCalledTimes(4);
});

test('of many at a time one works, the others get an error', async () => {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const subject = counting(async () => {
    await finished;
    return { status: 201, body: { id: 'x', n: 1 } };
  });
  let refused = 0;
  const all = Array.from({ length: 5 }, async () => {
    const answer = await send(subject);
    if (answer.status === 409) refused++;
    return answer;
  });
  // Finish only then: a later request would rightly get the stored answer.
  await vi.waitFor(() => expect(refused).toBe(4), { timeout: 10_000 });
  finish();
  const answers = await Promise.all(all);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  for (const { status, body } of answers)
    if (status === 409) expect(body.error.code).toBe('idempotency_key_in_progress');
  expect(subject.work).toHaveBeenCalledOnce();
});

test.each([
  [404, new ApiError('connection_not_found', 'none')],
  [409, new ApiError('connection_disabled', 'off')],
])('a %i is stored', async (status, error) => {
  const subject = counting(fail(error));
  const first = await send(subject);
  const second = await send(subject);
  expect([first.status, second.status, second.text]).toEqual([status, status, first.text]);
  expect(subject.work).toHaveBeenCalledOnce();
});

test('a 422 is also stored: a corrected body needs a new key', async () => {
  const subject = counting();
  const first = await send(subject, { a: 'x' });
  expect([first.status, (await send(subject, { a: 'x' })).text]).toEqual([422, first.text]);
  expect((await send(subject, { a: 1 })).body.error.code).toBe('idempotency_key_reused');
});

test.each([
  [429, new ApiError('rate_limited', 'slow down')],
  [500, new Error('boom')],
])('a %i is not: the repeat works again, with the same id', async (status, error) => {
  const ids: string[] = [];
  const subject = counting();
  const handler = endpoint(contract, async ({ newId }) => {
    ids.push(newId());
    if (ids.length === 1) throw error;
    return { status: 201, body: { id: ids[1], n: 2 } };
  });
  expect((await send({ ...subject, handler })).status).toBe(status);
  plantClock(() => AT + 7_000);
  expect((await send({ ...subject, handler })).status).toBe(201);
  expect(ids[1]).toBe(ids[0]);
});

test('a claim whose function died lapses after 60 s; the repeat has the same ids', async () => {
  const ids: string[] = [];
  const subject = counting();
  const dying = endpoint(contract, async ({ newId }) => {
    ids.push(newId(), newId());
    return new Promise(() => {});
  });
  void send({ ...subject, handler: dying });
  await vi.waitFor(() => expect(ids).toHaveLength(2), { timeout: 10_000 });
  plantClock(() => AT + 59_999);
  expect((await send(subject)).body.error.code).toBe('idempotency_key_in_progress');
  plantClock(() => AT + 60_000);
  const answer = await send(subject);
  expect([answer.status, answer.body.id]).toEqual([201, ids[0]]);
  expect(ids[1]).not.toBe(ids[0]);
});

test('after 24 h the key is free again', async () => {
  const subject = counting();
  await send(subject);
  plantClock(() => AT + 24 * 3_600_000);
  expect((await send(subject, { a: 2 })).status).toBe(201);
  expect(subject.work).toHaveBeenCalledTimes(2);
});

test('a refusal before the body is read is not stored', async () => {
  const subject = counting();
  expect((await send(subject, '{')).status).toBe(400);
  expect((await send(subject, { a: 1 })).status).toBe(201);
});

test('an answer that showed a secret is not given again: the repeat names what was made', async () => {
  const request = { ...session, headers: { 'idempotency-key': 'create a key' }, body: { name: 'erp' } };
  const first = await call(createKeyContract, createKey, request);
  expect(first.status).toBe(201);
  const second = await call(createKeyContract, createKey, request);
  expect([second.status, second.body.error.code]).toEqual([409, 'idempotency_key_reused']);
  expect(second.body.error.message).toContain(first.body.data.id);
  expect((second.text + (await tableText())).includes(first.body.data.key.slice(7))).toBe(false);
});

test('a repeated create is one connection, also when the first answer was lost', async () => {
  const api = connectionApi(session);
  const headers = { 'idempotency-key': 'create a connection' };
  const first = await api.create(newConnection(), headers);
  const second = await api.create(newConnection(), headers);
  expect([second.status, second.body]).toEqual([201, first.body]);
  expect((await api.list()).body.data).toHaveLength(1);
});

test('a claim that was written twice, for its first answer was lost, is ours', async () => {
  const real = DynamoDBDocumentClient.prototype.send as (command: unknown) => Promise<unknown>;
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
    this: unknown,
    command: unknown,
  ) {
    if (command instanceof PutCommand) await real.call(this, command);
    return real.call(this, command);
  } as never);
  expect(await claim(OURS, 'written twice', 'body')).toMatchObject({ state: 'claimed' });
  vi.restoreAllMocks();
  expect(await claim(OURS, 'written twice', 'body')).toEqual({ state: 'in-progress' });
});

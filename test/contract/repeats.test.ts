/** Idempotency-Key on every POST: the same answer again, a secret never again, another body refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { type EndpointContract, isRepeatable } from '#shared/http/contract.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { newConnection } from '#test/helpers/connection-api.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { type Answered, call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
const DAY_MS = 86_400_000;
const UNKNOWN = '33333333-3333-4333-8333-333333333333';

let table: EngineTable;
let keyFile: { remove(): void };
let clockMs = AT;
let session: Credential;

beforeAll(async () => {
  table = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  plantClock(() => clockMs);
  session = (await callersOf('11111111-1111-4111-8111-111111111111')).session;
});
afterAll(async () => {
  plantClock(undefined);
  keyFile.remove();
  await table.stop();
});

const send = async (id: string, params: Record<string, string>, body: unknown, key?: string): Promise<Answered> => {
  const contract = ENDPOINTS.find((each) => each.id === id)!;
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return call(contract, await handlerOf(id), { ...session, headers, params, ...(body === undefined ? {} : { body }) });
};

const WEBHOOK = { url: 'https://93.184.215.14/hook', event_types: ['sync.failed'] };
const LINK = { kind: 'single', asked_by: 'Us', external_source_code: 'tax', enabled_scopes: ['rcv'] };
const aConnection = async () => (await send('create-connection', {}, newConnection())).body.id;
const aWebhook = async () => (await send('create-webhook', {}, WEBHOOK)).body.data.id;
const aRun = async () => {
  const id = await aConnection();
  return { id, runId: (await send('start-sync', { id }, undefined)).body.sync_id };
};

interface Case {
  params?: () => Promise<Record<string, string>>;
  body?: unknown;
  other: unknown;
  status: number;
}

/** A POST without a line here fails. */
const CASES: Record<string, Case> = {
  'create-connection': { body: newConnection(), other: newConnection({ name: 'Other' }), status: 201 },
  'create-api-key': { body: { name: 'a' }, other: { name: 'b' }, status: 201 },
  'create-webhook': { body: WEBHOOK, other: { ...WEBHOOK, event_types: ['sync.partial'] }, status: 201 },
  'create-connect-link': { body: LINK, other: { ...LINK, asked_by: 'Other' }, status: 201 },
  'start-sync': { params: async () => ({ id: await aConnection() }), other: { scopes: ['rcv'] }, status: 202 },
  'cancel-sync-run': { params: aRun, other: {}, status: 200 },
  'roll-webhook-secret': { params: async () => ({ id: await aWebhook() }), other: {}, status: 200 },
  'test-webhook': { params: async () => ({ id: await aWebhook() }), other: { event_type: 'sync.failed' }, status: 202 },
  'resend-webhook-delivery': {
    params: async () => ({ id: await aWebhook(), deliveryId: UNKNOWN }),
    other: {},
    status: 404,
  },
};

const posts = ENDPOINTS.filter(isRepeatable).map((one): [string, EndpointContract] => [one.id, one]);

test.each(posts)('%s', async (id, contract) => {
  const { params, body, other, status } = CASES[id]!;
  const path = (await params?.()) ?? {};
  const key = `key of ${id}`;
  const first = await send(id, path, body, key);
  expect(first.status).toBe(status);
  const again = await send(id, path, body, key);
  const showsSecret = contract.secretResponse && first.status < 300;
  if (showsSecret) {
    expect([again.status, again.body.error.code]).toEqual([409, 'idempotency_key_reused']);
    expect(again.body.error.message).toContain(first.body.data.id);
    expect(again.text).not.toContain(first.body.data.secret ?? first.body.data.key);
  } else expect([again.status, again.text]).toEqual([first.status, first.text]);
  // A repeat uses no quota, and the quota left at the first answer is no longer current.
  expect(first.headers.ratelimit !== undefined).toBe(['start-sync', 'test-webhook'].includes(id));
  expect(again.headers.ratelimit).toBeUndefined();

  const another = await send(id, path, other, key);
  expect([another.status, another.body.error.code]).toEqual([409, 'idempotency_key_reused']);
  expect((await send(id, path, body, `${key}, another`)).status).toBe(status);

  // A day later the key is free again: the call is a new request, with any result.
  clockMs += DAY_MS + 1_000;
  ({ session } = await callersOf('11111111-1111-4111-8111-111111111111'));
  expect((await send(id, path, body, key)).status).toBe(status);
});

test.each(posts)('%s: a refusal of the body is repeated, a faulty request is validated again', async (id, contract) => {
  if (contract.body === null) return;
  const path = (await CASES[id]!.params?.()) ?? {};
  const key = `refused ${id}`;
  const first = await send(id, path, { nope: 1 }, key);
  expect(first.status).toBe(422);
  expect((await send(id, path, { nope: 1 }, key)).text).toBe(first.text);
  expect((await send(id, path, '{', `${key} json`)).status).toBe(400);
  expect((await send(id, path, CASES[id]!.body, `${key} json`)).status).toBe(CASES[id]!.status);
});

/** The limit of reads over the table: every kind of credential, its organization, and what a refusal says. */
import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import type { Caller } from '#shared/auth/caller.ts';
import { isRead } from '#shared/http/contract.ts';
import { addReads, countRead } from '#shared/http/fair-use/limit-reads.ts';
import { createReadCounter } from '#shared/http/fair-use/read-counter.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { nowMs, plantClock } from '#shared/platform/clock.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { callTool, connectAgent, useAgentOrigin } from '#test/helpers/agent-client.ts';
import { type Credential, callersOf, keyOf } from '#test/helpers/callers.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { type Answered, call } from '#test/helpers/http.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

let server: EngineTable;
let atMs = Date.parse('2030-01-01T00:00:00.000Z');

beforeAll(async () => {
  server = await startEngineTable();
  useSharedSecretIssuer();
  useAgentOrigin();
});
beforeEach(() => {
  // The limits of a stage.
  vi.stubEnv('READS_PER_MINUTE', undefined);
  // A minute that no other test uses.
  atMs = Math.ceil((atMs + 1) / 60_000) * 60_000;
  plantClock(() => atMs);
});
afterEach(() => plantClock(undefined));
afterAll(() => server.stop());

const contractOf = (id: string) => ENDPOINTS.find((each) => each.id === id)!;
const send = async (id: string, credential: Credential): Promise<Answered> =>
  call(contractOf(id), await handlerOf(id), credential);

/** Reads of a caller until the refusal. */
const readUntilRefused = async (caller: Caller): Promise<{ reads: number; refusal: ApiError }> => {
  for (let reads = 0; ; reads++) {
    try {
      const finish = countRead(caller);
      atMs += 4;
      await finish();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { reads, refusal: error };
    }
  }
};

const newCaller = (organizationId: string, kind: Caller['kind'] = 'key'): Caller => ({
  organizationId,
  kind,
  id: randomUUID(),
});

describe('the limits', () => {
  test.each([
    ['key', 1_000, '56'],
    ['access-token', 1_000, '56'],
    ['session', 3_000, '48'],
  ] as const)('for one credential: %s, %s', async (kind, max, seconds) => {
    const caller = newCaller(randomUUID(), kind);
    const { reads, refusal } = await readUntilRefused(caller);
    expect(reads).toBe(max);
    expect([refusal.code, refusal.headers]).toEqual([
      'rate_limited',
      { 'retry-after': seconds, 'ratelimit-policy': `"reads";q=${max};w=60`, ratelimit: `"reads";r=0;t=${seconds}` },
    ]);
    expect((await readUntilRefused(newCaller(caller.organizationId, kind))).reads).toBe(max);
  });

  test('3,000 for an organization; neither its people nor another organization are refused', async () => {
    const organizationId = randomUUID();
    for (let n = 0; n < 3; n++) expect((await readUntilRefused(newCaller(organizationId))).reads).toBe(1_000);
    const { reads, refusal } = await readUntilRefused(newCaller(organizationId, 'access-token'));
    expect([reads, refusal.headers['ratelimit-policy']]).toEqual([0, '"organization-reads";q=3000;w=60']);
    for (let n = 0; n < 3; n++)
      expect((await readUntilRefused(newCaller(organizationId, 'session'))).reads).toBe(3_000);
    const person = await readUntilRefused(newCaller(organizationId, 'session'));
    expect([person.reads, person.refusal.headers['ratelimit-policy']]).toEqual([0, '"organization-reads";q=9000;w=60']);
    expect((await readUntilRefused(newCaller(randomUUID()))).reads).toBe(1_000);
  });

  test('two instances count together, in one item that expires', async () => {
    const organizationId = randomUUID();
    const pool = { organizationId, audience: 'programs' } as const;
    const limits = [{ policy: 'reads', counter: 'reads_a', max: 40 }];
    const instances = [0, 1].map(() => createReadCounter(addReads, () => expect.unreachable()));
    const readBoth = async (): Promise<boolean[]> => {
      const refused: boolean[] = [];
      for (const instance of instances) {
        const { isRefused, addition } = instance.count(pool, limits, nowMs());
        await addition;
        refused.push(isRefused);
      }
      atMs += 500;
      return refused;
    };
    for (let n = 0; n < 20; n++) expect(await readBoth()).toEqual([false, false]);
    const minute = Math.floor(atMs / 60_000);
    const stored = await table.get(keys.reads(organizationId, 'programs', minute));
    expect(stored).toMatchObject({ reads_a: 40, expires_at_epoch: (minute + 5) * 60 });
    for (let n = 0; n < HTTP_LIMITS.readsAddedMin; n++) await readBoth();
    expect(await readBoth()).toEqual([true, true]);
  });
});

describe('requests', () => {
  beforeEach(() => vi.stubEnv('READS_PER_MINUTE', '3'));

  test.each([
    ['key', 3],
    ['access-token', 3],
    ['session', 9],
  ] as const)('of a %s', async (kind, max) => {
    const credential = (await callersOf(randomUUID()))[kind];
    for (let left = max - 1; left >= 0; left--) {
      const { status, headers } = await send('list-connections', credential);
      expect([status, headers.ratelimit, headers['ratelimit-policy']]).toEqual([
        200,
        `"reads";r=${left};t=60`,
        `"reads";q=${max};w=60`,
      ]);
    }
    atMs += 15_000;
    const { status, body, headers } = await send('list-coverage', credential);
    expect([status, body.error.code, headers['retry-after']]).toEqual([429, 'rate_limited', '45']);
    expect(headers.ratelimit).toBe('"reads";r=0;t=45');
    atMs += 45_000;
    expect((await send('list-coverage', credential)).status).toBe(200);
  });

  test('a refused form of a read counts, and its answer has the headers', async () => {
    const { key } = await callersOf(randomUUID());
    const get = async () =>
      call(contractOf('get-connection'), await handlerOf('get-connection'), {
        ...key,
        params: { id: randomUUID() },
      });
    const answer = await get();
    expect([answer.status, answer.headers.ratelimit]).toEqual([404, '"reads";r=2;t=60']);
  });

  test('that change something are not limited as reads', async () => {
    const { key } = await callersOf(randomUUID());
    for (let n = 0; n < 4; n++) await send('list-connections', key);
    const cancelled = await call(contractOf('cancel-sync-run'), await handlerOf('cancel-sync-run'), {
      ...key,
      params: { id: randomUUID(), runId: randomUUID() },
    });
    expect([cancelled.status, cancelled.headers.ratelimit]).toEqual([404, undefined]);
  });

  test('calls of tools by an agent count as reads of its credential', async () => {
    const organizationId = randomUUID();
    const { token } = await keyOf(organizationId);
    const client = await connectAgent(token, '2026-07-28');
    for (let n = 0; n < 2; n++) expect((await callTool(client, 'whoami')).isError).toBe(false);
    const key = { headers: { authorization: `Bearer ${token}` } };
    expect((await send('list-connections', key)).headers.ratelimit).toBe('"reads";r=0;t=60');
    const { answer } = await callTool(client, 'whoami');
    expect(answer.error).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('reads') });
  });
});

test('a table that refuses additions refuses no read', async () => {
  const { key } = await callersOf(randomUUID());
  const { send: original } = DynamoDBDocumentClient.prototype as { send(command: unknown): Promise<unknown> };
  let refused = 0;
  Object.assign(DynamoDBDocumentClient.prototype, {
    async send(this: DynamoDBDocumentClient, command: { input: { Key?: { pk: string } } }) {
      if (!command.input.Key?.pk.endsWith('#RATE')) return original.call(this, command);
      refused++;
      throw Object.assign(new Error('too many requests'), { name: 'ThrottlingException' });
    },
  });
  try {
    for (let n = 0; n < 2 * HTTP_LIMITS.readsAddedMin; n++, atMs += 500)
      expect((await send('list-connections', key)).status).toBe(200);
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send: original });
  }
  expect(refused).toBeGreaterThanOrEqual(2);
});

test('every operation of the description that reads counts, and no public one', () => {
  const limited = ENDPOINTS.filter(isRead);
  expect(limited.every(({ needs, auth }) => needs.includes('table:count') && auth !== 'public')).toBe(true);
  const others = ENDPOINTS.filter((each) => each.method === 'GET' && !isRead(each) && each.auth !== 'public');
  expect(others.map(({ id }) => id)).toEqual(['show-session']);
});

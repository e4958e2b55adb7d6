/** What a reader of the organization's feed receives over HTTP: every scope with changes, once, and nothing when idle. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract } from '#functions/api/connections/list-organization-changes/contract.ts';
import { handler } from '#functions/api/connections/list-organization-changes/handler.ts';
import { announceDeletedConnection } from '#shared/rows/index/announce-scope.store.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { scopeId } from '#shared/scopes/scope.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { ofAnotherTable } from '#test/helpers/former-cursor.ts';
import { call } from '#test/helpers/http.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';
import { readDocuments } from '#test/helpers/tender-changes.ts';

const PERIOD = '2026-10';

let server: EngineTable;
let organizationId: string;
let callers: Awaited<ReturnType<typeof callersOf>>;
beforeAll(async () => {
  server = await startEngineTable();
  useSharedSecretIssuer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  organizationId = randomUUID();
  callers = await callersOf(organizationId);
});

const ask = async (cursor: string | null, limit = 200, caller: Credential = callers.session) => {
  const query = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
  return call(contract, handler, { ...caller, query });
};

/** Reads pages until no entry is left. Returns the names of the scopes and connections, sorted. */
const readAll = async (cursor: string | null, limit = 200, caller?: Credential) => {
  const named: string[] = [];
  let next = cursor;
  for (let hasMore = true; hasMore; ) {
    const { body } = await ask(next, limit, caller);
    for (const { change, connection_id, scope } of body.data) named.push([change, connection_id, scope].join(' '));
    next = body.feed.next_cursor;
    hasMore = body.feed.has_more;
  }
  return { named: named.sort(), cursor: next! };
};

const scopeOf = (scope: ScopeDefinition, connectionId: string = randomUUID()) =>
  newSyncedScope(scope, { organizationId, connectionId });
const rowOf = (scope: ScopeDefinition, n: number) => ROW_MAKERS[scopeId(scope)]!(randomFrom(n), PERIOD, n);
const changed = (connectionId: string, scope: ScopeDefinition): string => `changed ${connectionId} ${scope.name}`;

describe('a reader', () => {
  test('receives each scope with changes once, with pages of any size, and then nothing', async () => {
    const expected: string[] = [];
    for (let n = 0; n < 12; n++) {
      const scope = [taxRcv, taxBoletas, bankoneMovements][n % 3]!;
      const { sync, address } = await scopeOf(scope);
      await sync(PERIOD, [rowOf(scope, 1)]);
      await sync(PERIOD, [rowOf(scope, 1), rowOf(scope, 2)]);
      expected.push(changed(address.connectionId, scope));
    }
    for (const limit of [1, 3, 200]) {
      const { named, cursor } = await readAll(null, limit);
      expect(named).toEqual(expected.sort());
      expect((await readAll(cursor)).named).toEqual([]);
    }
  });

  test('receives the path of the feed, which has the changes', async () => {
    const { sync, address } = await scopeOf(taxRcv);
    await sync(PERIOD, [rowOf(taxRcv, 1)]);
    const { body } = await ask(null);
    const { connectionId } = address;
    const path = `/connections/${connectionId}/changes`;
    expect(body.data).toEqual([{ change: 'changed', connection_id: connectionId, scope: 'rcv', path }]);
  });

  test('receives nothing of a sync that found nothing new', async () => {
    const { sync } = await scopeOf(taxRcv);
    await sync(PERIOD, [rowOf(taxRcv, 1)]);
    const { cursor } = await readAll(null);
    await sync(PERIOD, [rowOf(taxRcv, 1)]);
    expect((await readAll(cursor)).named).toEqual([]);
  });

  test('receives no other organization', async () => {
    const { sync } = await newSyncedScope(taxRcv);
    await sync(PERIOD, [rowOf(taxRcv, 1)]);
    expect((await readAll(null)).named).toEqual([]);
  });

  test('receives a scope whose rows were stored before the feed existed, after its next sync', async () => {
    const { sync, address } = await scopeOf(taxRcv);
    await sync(PERIOD, [rowOf(taxRcv, 1)]);
    const { cursor } = await readAll(null);
    await table.update(keys.summary(address), { remove: ['entry_n'] });
    await sync(PERIOD, [rowOf(taxRcv, 1)]);
    expect((await readAll(cursor)).named).toEqual([changed(address.connectionId, taxRcv)]);
  });
});

test('fifteen workers that store at once are all announced, each in the transaction of its index', async () => {
  const scopes = await Promise.all(Array.from({ length: 15 }, () => scopeOf(taxRcv)));
  let cursor: string | null = null;
  for (let round = 1; round <= 3; round++) {
    await Promise.all(scopes.map(({ sync }, n) => sync(PERIOD, [rowOf(taxRcv, 100 * round + n)])));
    const read: Awaited<ReturnType<typeof readAll>> = await readAll(cursor, 4);
    expect(read.named).toEqual(scopes.map(({ address }) => changed(address.connectionId, taxRcv)).sort());
    cursor = read.cursor;
  }
});

describe('a deleted connection', () => {
  test('is reported once in place of its scopes', async () => {
    const { sync, address } = await scopeOf(taxRcv);
    const other = await scopeOf(taxBoletas, address.connectionId);
    await sync(PERIOD, [rowOf(taxRcv, 1)]);
    await other.sync(PERIOD, [rowOf(taxBoletas, 1)]);
    const { cursor } = await readAll(null);
    const announce = () => announceDeletedConnection(organizationId, address.connectionId, ['rcv', 'boletas', 'guias']);
    await announce();
    const deleted = [`connection_deleted ${address.connectionId} `];
    const read = await readAll(cursor);
    expect(read.named).toEqual(deleted);
    await announce();
    expect((await readAll(read.cursor)).named).toEqual([]);
    expect((await readAll(null)).named).toEqual(deleted);
  });

  test('that never had a row is not reported', async () => {
    await announceDeletedConnection(organizationId, randomUUID(), ['rcv']);
    expect((await readAll(null)).named).toEqual([]);
  });
});

describe('tenders', () => {
  const tender = async (minute: number) =>
    readDocuments({ organizationId, connectionId: randomUUID() }, [`${minute}.pdf`], minute);

  test('are reported to a key once for any number of changes, and to no other caller', async () => {
    await tender(1);
    await tender(2);
    const { named, cursor } = await readAll(null, 200, callers.key);
    expect(named).toEqual(['tenders_changed  ']);
    expect((await readAll(cursor, 200, callers.key)).named).toEqual([]);
    await tender(3);
    expect((await readAll(cursor, 200, callers['access-token'])).named).toEqual([]);
    const { body } = await ask(cursor, 1, callers.key);
    expect(body.data).toMatchObject([{ change: 'tenders_changed', path: '/procurement/changes' }]);
  });

  test('wait for the key when another caller moves the cursor', async () => {
    await tender(1);
    const { cursor } = await readAll(null, 200, callers.session);
    expect((await readAll(cursor, 200, callers.key)).named).toEqual(['tenders_changed  ']);
  });

  test('leave no scope out of a page of one', async () => {
    const { sync, address } = await scopeOf(taxRcv);
    await sync(PERIOD, [rowOf(taxRcv, 1)]);
    await tender(1);
    const { named } = await readAll(null, 1, callers.key);
    expect(named).toEqual([changed(address.connectionId, taxRcv), 'tenders_changed  ']);
  });
});

describe('a cursor', () => {
  const cursorNow = async (): Promise<string> => (await ask(null)).body.feed.next_cursor;

  test('of the table before a restore is 410', async () => {
    const { status, body } = await ask(ofAnotherTable(await cursorNow()));
    expect([status, body.error.code]).toEqual([410, 'cursor_expired']);
  });

  test.each<[string, (parts: unknown[]) => unknown[]]>([
    ['of another organization', (parts) => parts.with(3, randomUUID())],
    ['of another feed', (parts) => parts.with(2, 'tenders')],
    ['of a former version', (parts) => parts.with(0, 0)],
    ['of fewer parts', (parts) => parts.with(4, [1, 2, 3])],
    ['after the last number there can be', (parts) => parts.with(4, [0, 0, 0, Number.MAX_SAFE_INTEGER])],
  ])('%s is 400', async (_, change) => {
    const forged = cursorText(change(cursorParts(await cursorNow()) as unknown[]));
    const { status, body } = await ask(forged);
    expect([status, body.error.code]).toEqual([400, 'validation_error']);
  });
});

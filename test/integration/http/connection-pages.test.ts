/** The list of connections: pages, filters and order, the limit of its size, and the integrator's own metadata. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { contract } from '#functions/api/connections/list-connections/contract.ts';
import { handler } from '#functions/api/connections/list-connections/handler.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { whileCounted } from '#shared/connections/count-connections.store.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type MemoryBucket, memoryBucket } from '#test/fakes/memory-bucket.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { type ConnectionApi, connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
let server: EngineTable;
let keyFile: { remove(): void };
let bucket: MemoryBucket;
let session: Credential;
let api: ConnectionApi;
let organizationId = '';

beforeAll(async () => {
  server = await startEngineTable();
  keyFile = useKeyFile();
  bucket = memoryBucket();
  useSharedSecretIssuer();
});
const newOrganization = async (): Promise<void> => {
  organizationId = randomUUID();
  session = (await callersOf(organizationId)).session;
  api = connectionApi(session);
};
afterEach(() => {
  plantClock(undefined);
  vi.restoreAllMocks();
});
afterAll(async () => {
  keyFile.remove();
  bucket.restore();
  await server.stop();
});

const list = (query = '') => call(contract, handler, { ...session, query });
const namesOf = async (query: string): Promise<string[]> =>
  (await list(query)).body.data.map(({ name }: { name: string }) => name);

const MADE: readonly {
  name: string;
  metadata?: object;
  credentials?: object;
  enabled_scopes?: string[];
  external_source_code?: string;
}[] = [
  { name: 'Panadería', metadata: { reference: 'c-1', company_rut: '76.192.083-9', company_name: 'Ñandú SpA' } },
  {
    name: 'Ferretería',
    metadata: { reference: 'c-2', company_name: 'Árbol Ltda' },
    credentials: { rut: '12345678-5', password: 'p' },
  },
  { name: 'Zapatería', metadata: { reference: 'c-1' }, credentials: { rut: '77000002-5', password: 'p' } },
  {
    name: 'Banco',
    external_source_code: 'banktwo',
    enabled_scopes: ['movements'],
    credentials: { client_id: 'u', client_secret: 'p', company_rut: '76192083-9' },
  },
];

const createAll = async (): Promise<string[]> => {
  await newOrganization();
  const ids: string[] = [];
  for (const [n, each] of MADE.entries()) {
    plantClock(() => AT + n * 1_000);
    const { body, status } = await api.create({ ...newConnection(), ...each });
    expect([status, body.error]).toEqual([201, undefined]);
    ids.push(body.id);
  }
  return ids;
};

/** The most connections that a page reads all. */
const setReadAllMax = (count: number): void => {
  vi.spyOn(CONNECTION_LIMITS as { readAllMax: number }, 'readAllMax', 'get').mockReturnValue(count);
};

describe.each([
  ['that reads all connections', CONNECTION_LIMITS.readAllMax],
  ['that is chosen from the snapshot', 0],
])('a page %s', (_, readAllMax) => {
  beforeEach(() => setReadAllMax(readAllMax));

  test('has its total; without limit all are answered, without pagination', async () => {
    await createAll();
    expect((await list()).body).not.toHaveProperty('pagination');
    expect(await namesOf('')).toEqual(['Banco', 'Zapatería', 'Ferretería', 'Panadería']);
    const { body } = await list('limit=3&offset=1');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Zapatería', 'Ferretería', 'Panadería']);
    expect(body.pagination).toEqual({ total: 4, limit: 3, offset: 1, has_more: false });
    expect((await list('limit=2')).body.pagination).toEqual({ total: 4, limit: 2, offset: 0, has_more: true });
    expect((await list('limit=2&offset=9')).body).toMatchObject({ data: [], pagination: { total: 4 } });
  });

  test.each([
    ['reference=c-1', ['Zapatería', 'Panadería']],
    ['reference=c', []],
    ['company_rut=76192083-9', ['Panadería']],
    ['company_rut=76.192.083-9', ['Panadería']],
    ['external_source_code=banktwo', ['Banco']],
    ['status=active', []],
    ['status=pending&reference=c-2', ['Ferretería']],
    ['q=nandu', ['Panadería']],
    ['q=C-2', ['Ferretería']],
    ['q=761920839', ['Panadería']],
    ['q=eria', ['Zapatería', 'Ferretería', 'Panadería']],
    ['q=zzz', []],
    ['sort=company', ['Ferretería', 'Banco', 'Panadería', 'Zapatería']],
    ['attention=true', []],
  ])('%s', async (query, names) => {
    await createAll();
    expect(await namesOf(query)).toEqual(names);
    const { pagination } = (await list(`${query}&limit=1`)).body;
    expect(pagination).toMatchObject({ total: names.length, has_more: names.length > 1 });
  });

  test.each([
    ['limit=201', 'limit must be between 1 and 200'],
    ['status=broken', 'status must be one of pending, active, error, disabled'],
    ['external_source_code=moon', 'external_source_code must be one of bankone, bankthree, banktwo, procurement, tax'],
    ['company_rut=76192083-1', 'company_rut must be a RUT with a valid check digit'],
    ['attention=false', 'attention must be true'],
    ['sort=name', 'sort must be one of created, company'],
    ['reference=', 'reference must have at least 1 characters'],
  ])('%s: 400', async (query, message) => {
    await newOrganization();
    const answer = await list(query);
    expect([answer.status, answer.body.error.message]).toEqual([400, message]);
  });
});

test('a list without limit above the size that the gateway answers is 400 and asks for pages', async () => {
  await createAll();
  const { bytes } = { bytes: Buffer.byteLength(JSON.stringify((await list()).body)) };
  vi.spyOn(HTTP_LIMITS as { connectionListBytesMax: number }, 'connectionListBytesMax', 'get').mockReturnValue(
    bytes - 20,
  );
  const answer = await list();
  expect([answer.status, answer.body.error.message]).toEqual([
    400,
    'All connections are more than 5.5 MB. Ask for pages, e.g. limit=200.',
  ]);
  expect((await list('limit=4')).status).toBe(200);
});

describe("the integrator's own metadata", () => {
  test('changes key by key, null clears, and the keys of the source stay', async () => {
    await newOrganization();
    const credentials = { ticket: 'clave-de-prueba' };
    const made = {
      ...newConnection(),
      external_source_code: 'procurement',
      enabled_scopes: ['licitaciones'],
      credentials,
    };
    const metadata = { codigos: ['1-1-LE25'], reference: 'a', company_name: 'Uno' };
    const { body } = await api.create({ ...made, metadata });
    const change = async (sent: object) => (await api.update(body.id, { metadata: sent })).body.data.metadata;
    expect(await change({ reference: 'b' })).toEqual({ codigos: ['1-1-LE25'], reference: 'b', company_name: 'Uno' });
    expect(await change({ company_name: null, company_rut: '761920839' })).toEqual({
      codigos: ['1-1-LE25'],
      reference: 'b',
      company_rut: '76192083-9',
    });
    expect(await change({ codigos: ['2-2-LE25'] })).toEqual({
      codigos: ['2-2-LE25'],
      reference: 'b',
      company_rut: '76192083-9',
    });
    expect(await change({})).toEqual({ reference: 'b', company_rut: '76192083-9' });
    expect(await change({ reference: null, company_rut: null })).toEqual({});
  });

  test.each([
    [{ reference: '' }, 'metadata.reference'],
    [{ reference: 'x'.repeat(65) }, 'metadata.reference must have at most 64 characters'],
    [{ reference: 'a\u200bb' }, 'metadata.reference must not have'],
    [{ company_rut: '76192083-1' }, 'metadata.company_rut must be a RUT with a valid check digit'],
    [{ company_name: 'x'.repeat(121) }, 'metadata.company_name must have at most 120 characters'],
    [{ company_rut: '76543210-3' }, 'metadata.company_rut must be the company_rut of the credentials'],
  ])('%j is refused at creation', async (metadata, message) => {
    await newOrganization();
    const credentials = { client_id: 'u', client_secret: 'p', company_rut: '76192083-9' };
    const made = { ...newConnection(), external_source_code: 'banktwo', enabled_scopes: ['movements'] };
    const answer = await api.create({ ...made, credentials, metadata });
    expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringContaining(message)]);
  });
});

test('the codes of what an owner must do are shown, and found', async () => {
  const [first, second, third] = await createAll();
  const set = (id: string, attributes: object) =>
    table.update(keys.connection(organizationId, id), { set: attributes as Record<string, unknown> });
  await set(first!, { status: 'error', last_error_code: 'source.password_expired' });
  await set(second!, { status: 'active', last_error_code: 'source.mfa_timeout' });
  await set(third!, { status: 'active', last_error_code: 'source.unavailable' });
  // Only an open run can wait for an approval.
  await set(third!, { approval_until: new Date(AT + 60_000).toISOString() });
  expect((await api.get(first!)).body.data.attention).toEqual(['source.password_expired']);
  expect((await api.get(third!)).body.data.attention).toEqual([]);
  expect(await namesOf('attention=true')).toEqual(['Ferretería', 'Panadería']);
  await table.update(keys.connection(organizationId, third!), { add: { open_runs: new Set(['run']) } });
  expect((await api.get(third!)).body.data.attention).toEqual(['connection.approval_pending']);
  expect(await namesOf('attention=true')).toEqual(['Zapatería', 'Ferretería', 'Panadería']);
  plantClock(() => AT + 60_000);
  expect((await api.get(third!)).body.data.attention).toEqual([]);
  // Connections that moved to error before causes were stored.
  await table.update(keys.connection(organizationId, first!), { remove: ['last_error_code'] });
  expect((await api.get(first!)).body.data.attention).toEqual(['connection.error']);
  await api.update(second!, { credentials: { rut: '11111111-1', password: 'otra' } });
  expect((await api.get(second!)).body.data.attention).toEqual([]);
  await api.update(first!, { enabled: false });
  expect((await api.get(first!)).body.data.attention).toEqual([]);
});

describe('the number of connections', () => {
  const count = async () => (await table.get(keys.connectionCount(organizationId)))?.count;

  test('follows creations and deletions, and starts with those that were there before it', async () => {
    const ids = await createAll();
    expect(await count()).toBe(4);
    await table.remove(keys.connectionCount(organizationId));
    await connections.remove(organizationId, ids[0]!, BY_SERVICE);
    expect(await count()).toBe(3);
    await table.remove(keys.connectionCount(organizationId));
    expect((await api.create()).status).toBe(201);
    expect(await count()).toBe(4);
  });

  test('counts first creations that come at once', async () => {
    await newOrganization();
    const made = await Promise.all(Array.from({ length: 4 }, () => api.create()));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await count()).toBe(4);
  });

  test('may be stored by another request between two attempts', async () => {
    await newOrganization();
    let attempts = 0;
    await whileCounted(organizationId, async ({ one }) => {
      if (++attempts > 1) return;
      await table.put({ ...keys.connectionCount(organizationId), count: 1 });
      throw one.otherwise?.();
    });
    expect(attempts).toBe(2);
  });

  test('is limited: one more is refused, and after a deletion it is not', async () => {
    const ids = await createAll();
    const max = CONNECTION_LIMITS.connectionsPerOrganizationMax;
    await table.update(keys.connectionCount(organizationId), { set: { count: max } });
    const answer = await api.create();
    expect([answer.status, answer.body.error.message]).toEqual([
      422,
      'an organization may have at most 10000 connections',
    ]);
    expect((await list('limit=5')).body.pagination.total).toBe(4);
    await connections.remove(organizationId, ids[0]!, BY_SERVICE);
    expect((await api.create()).status).toBe(201);
    expect(await count()).toBe(max);
  });
});

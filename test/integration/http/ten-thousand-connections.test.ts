/**
 * An organization with 10,000 connections, over HTTP without gzip: pages, searches, the limit, and the read units of
 * each. A whole run only (`CI=true`), since storing them takes long.
 */
import { randomUUID } from 'node:crypto';
import { get, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type TableCalls, tableCallsOf } from '#test/bench/table-calls.ts';
import { type MemoryBucket, memoryBucket } from '#test/fakes/memory-bucket.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { listenRouted, type RoutedApi } from '#test/helpers/routed-api.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const MAX = CONNECTION_LIMITS.connectionsPerOrganizationMax;
/** Number of connections that the API makes; the others are copies of an item, because the API takes 8 ms for each. */
const MADE = Number(process.env.MADE_BY_API ?? 100);
const ASKS_FOR_LIMIT = 'All connections are more than 5.5 MB. Ask for pages, e.g. limit=200.';

let server: TestTable;
let bucket: MemoryBucket;
let keyFile: { remove(): void };
let api: RoutedApi;
let key: Record<string, string>;
let person: ReturnType<typeof connectionApi>;
let organizationId: string;
let session: string;

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
  calls: TableCalls;
}

/** Number of requests after 503, which a busy machine answers where the table answers late. */
const ATTEMPTS_MAX = 5;

/** As plain curl: no `accept-encoding`. Asks again after 503. */
const ask = async (path: string, headers = key): Promise<Got> => {
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
    const got = await askOnce(path, headers);
    if (got.status !== 503) return got;
  }
  return askOnce(path, headers);
};

const askOnce = async (path: string, headers: Record<string, string>): Promise<Got> => {
  const got = {} as Got;
  got.calls = await tableCallsOf(async () => {
    const [status, fields, body] = await new Promise<[number, IncomingHttpHeaders, string]>((resolve, reject) => {
      get(`${api.url}/api${path}`, { headers }, async (answer) =>
        resolve([answer.statusCode!, answer.headers, await text(answer)]),
      ).on('error', reject);
    });
    Object.assign(got, { status, headers: fields, bytes: Buffer.byteLength(body), body: JSON.parse(body) });
  });
  return got;
};

/** Returns a RUT with its check digit. */
const rutOf = (n: number): string => {
  const digits = String(76_000_000 + n);
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (2 + (at % 6)), 0);
  return `${digits}-${'0K987654321'[sum % 11]}`;
};

const metadataOf = (n: number) => ({
  reference: `cliente-${n}`,
  company_rut: rutOf(n),
  company_name: `Comercial Número ${n} SpA`,
});

/** Stores copies of a connection under new ids, each with its own metadata. */
const copy = async (of: string, id: string, numbers: readonly number[]): Promise<void> => {
  const item = await table.get(keys.connection(of, id));
  const puts = numbers.map((n) => {
    const newId = `0199a7c4-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const metadata = metadataOf(n);
    const { reference, company_rut: companyRut } = metadata;
    return [
      { ...item, ...keys.connection(of, newId), id: newId, name: `Empresa ${n}`, metadata },
      { ...keys.connectionEntry(of, ['REFERENCE', reference], newId) },
      { ...keys.connectionEntry(of, ['COMPANY', companyRut], newId) },
    ];
  });
  await table.batchWrite({ puts: puts.flat() });
  await table.update(keys.connectionCount(of), { add: { count: puts.length, indexed: puts.length } });
};

// Pages of 10,000 connections take their time where browser tests run as well.
describe.runIf(IS_WHOLE)('an organization with 10,000 connections', { timeout: 600_000 }, () => {
  beforeAll(async () => {
    server = await startTable();
    useSharedSecretIssuer();
    bucket = memoryBucket();
    keyFile = useKeyFile();
    api = await listenRouted();
    organizationId = randomUUID();
    const callers = await callersOf(organizationId);
    key = callers.key.headers!;
    person = connectionApi(callers.session);
    session = callers.session.cookies!.join('; ');
    const headers = { cookie: session, 'content-type': 'application/json' };
    let last = '';
    for (let n = 0; n < MADE; n++) {
      const body = JSON.stringify(newConnection({ name: `Empresa ${n}`, metadata: metadataOf(n) }));
      const answer = await fetch(`${api.url}/api/connections`, { method: 'POST', headers, body });
      expect(answer.status).toBe(201);
      last = ((await answer.json()) as { id: string }).id;
    }
    await copy(
      organizationId,
      last,
      Array.from({ length: MAX - MADE }, (_, at) => MADE + at),
    );
    // The first use of a credential in a minute is stored.
    await ask('/connections?limit=1');
  }, 900_000);
  afterAll(async () => {
    await api.close();
    keyFile.remove();
    bucket.restore();
    await server.stop();
  });

  test('is full: one more is refused', async () => {
    const answer = await person.create(newConnection());
    expect([answer.status, answer.body.error.message]).toEqual([
      422,
      'an organization may have at most 10000 connections',
    ]);
  });

  test('is listed by pages, each connection once', async () => {
    const ids = new Set<string>();
    let units = 0;
    for (let offset = 0; offset < MAX; offset += 200) {
      const page = await ask(`/connections?limit=200&offset=${offset}`);
      expect(page.body.error).toBeUndefined();
      units += page.calls.readUnits;
      expect(page.body.pagination).toEqual({ total: MAX, limit: 200, offset, has_more: offset + 200 < MAX });
      for (const { id } of page.body.data) ids.add(id);
    }
    expect(ids.size).toBe(MAX);
    // 204 a page, and one reading of all connections.
    expect(units).toBeLessThanOrEqual(50 * 204 + 1_400);
  });

  test.each([
    ['the first page', '', MAX, 60],
    ['the 100th page', '&offset=4950', MAX, 60],
    ['the last page', '&offset=9950', MAX, 60],
    ['by company', '&sort=company', MAX, 60],
    ['by state', '&status=pending', MAX, 60],
    ['by source', '&external_source_code=tax', MAX, 60],
    ['by state, no connection', '&status=error', 0, 60],
    ['by what its owner must do: all copies have one login', '&attention=true', MAX, 60],
    ['by reference', '&reference=cliente-7777', 1, 5],
    ['by RUT', `&company_rut=${rutOf(4321)}`, 1, 5],
    ['by RUT and name', `&company_rut=${rutOf(4321)}&q=numero`, 1, 5],
    ['by name', '&q=numero%209876', 1, 60],
    ['by part of the name', '&q=numero%2099', 111, 60],
  ])('%s', async (_, query, total, unitsMax) => {
    const page = await ask(`/connections?limit=50${query}`);
    expect([page.status, page.body.pagination.total]).toEqual([200, total]);
    expect(page.body.data.length).toBe(Math.min(50, total));
    expect(page.calls.readUnits).toBeGreaterThan(0);
    expect(page.calls.readUnits).toBeLessThanOrEqual(unitsMax);
  });

  test('a page costs at most 60 units with as many changes as a snapshot may lack', async () => {
    const { body } = await ask('/connections?limit=50&offset=300');
    const changed = body.data.slice(0, CONNECTION_LIMITS.changedUntilSnapshot - 1);
    const headers = { cookie: session, 'content-type': 'application/json' };
    for (const { id } of changed) {
      const asked = { method: 'PATCH', headers, body: JSON.stringify({ name: 'otra' }) };
      expect((await fetch(`${api.url}/api/connections/${id}`, asked)).status).toBe(200);
    }
    const page = await ask('/connections?limit=50&sort=company');
    expect(page.body.pagination.total).toBe(MAX);
    expect(page.calls.readUnits).toBeGreaterThan(50 + changed.length);
    expect(page.calls.readUnits).toBeLessThanOrEqual(60);
    expect((await ask('/connections?limit=50&q=otra')).body.pagination.total).toBe(changed.length);
  });

  test('all at once is 400 and asks for pages', async () => {
    const answer = await ask('/connections');
    expect([answer.status, answer.body.error.message]).toEqual([400, ASKS_FOR_LIMIT]);
  });

  const company = { rut: '70000002-8', password: 'clave', company_rut: '76192083-9' };
  const CREDENTIALS: Record<string, object> = {
    bankone: company,
    banktwo: { client_id: 'cliente', client_secret: 'clave', company_rut: '76192083-9' },
    bankthree: company,
    procurement: { ticket: 'clave-de-prueba' },
    tax: { rut: '70000002-8', password: 'clave' },
  };

  test.each(MANIFESTS.map(({ code, scopes }) => [code, scopes] as const))(
    '1,000 connections of %s with all scopes are one answer',
    async (external_source_code, enabled_scopes) => {
      const of = randomUUID();
      const callers = await callersOf(of);
      const made = newConnection({
        external_source_code,
        enabled_scopes,
        credentials: CREDENTIALS[external_source_code],
      });
      const { body, status } = await connectionApi(callers.session).create(made);
      expect([status, body.error]).toEqual([201, undefined]);
      await copy(
        of,
        body.id,
        Array.from({ length: 999 }, (_, n) => n),
      );
      const answer = await ask('/connections', callers.key.headers);
      expect([answer.status, answer.body.data.length]).toEqual([200, 1_000]);
      expect(answer.bytes).toBeLessThanOrEqual(HTTP_LIMITS.connectionListBytesMax);
    },
  );
});

/** The coverage of all connections: page by page it equals the coverage of each connection, at a bounded cost. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract as listContract } from '#functions/api/connections/list-connections/contract.ts';
import { handler as listHandler } from '#functions/api/connections/list-connections/handler.ts';
import { contract as oneContract } from '#functions/api/coverage/get-coverage/contract.ts';
import { handler as oneHandler } from '#functions/api/coverage/get-coverage/handler.ts';
import { contract } from '#functions/api/coverage/list-coverage/contract.ts';
import { handler } from '#functions/api/coverage/list-coverage/handler.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { type CoveredPeriod, NO_PERIOD } from '#shared/sync/coverage/coverage.rules.ts';
import { coveragePut } from '#shared/sync/coverage/coverage.store.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { addMonths } from '#shared/values/dates.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { bearer, type Credential, keyOf } from '#test/helpers/callers.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { call } from '#test/helpers/http.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const ALL_MONTHS = 'period_from=2024-01&period_to=2026-11';
const CONNECTIONS = 1_000;
const PAGE = 200;
const FILLED = 12;
/** Three scopes of a year are three items of 0.5 units each for the coverage, and as many for the rows. */
const UNITS_PER_CONNECTION_MAX = 3.5;
const ANSWER_BYTES_MAX = 5.5 * 1024 * 1024;

let server: TestTable;
let organizationId: string;
let caller: Credential;

const listed = SCOPES.filter(({ resource }) => resource !== null);
const newCaller = async (of: string): Promise<Credential> => bearer((await keyOf(of)).token);

const enable = async (of: string, id: string, scopes: readonly ScopeDefinition[]): Promise<void> => {
  const connection = await connections.find(of, id);
  await connections.change(connection!, { enabledScopes: scopes.map(({ name }) => name) }, BY_SERVICE);
};

const month = (random: Random): CoveredPeriod => ({
  asOf: random.maybe('2026-11-20T12:00:00.000Z'),
  isWhole: random.chance(0.6),
  reason: random.maybe('source.unavailable'),
  isOpen: random.chance(0.2),
  tiesOut: random.chance(0.3),
});

/** Coverage as a run leaves it, with months that hold no rows. */
const coverageOf = (of: string, connectionId: string, scope: ScopeDefinition, months: number, random: Random) => {
  const periods = Array.from({ length: months }, (_, n) => addMonths('2026-11', -n));
  const write = coveragePut({ organizationId: of, connectionId, scope: scope.name }, undefined, {
    lastAttempt: { runId: randomUUID(), status: 'ok', finishedAt: '2026-11-20T12:00:00.000Z', errorCode: null },
    lastSuccessAt: '2026-11-20T12:00:00.000Z',
    periods: Object.fromEntries((scope.periodic ? periods : [NO_PERIOD]).map((period) => [period, month(random)])),
  });
  return (write as { put: table.Item }).put;
};

beforeAll(async () => {
  server = await startTable();
  plantClock(() => Date.parse(NOW));
  organizationId = randomUUID();
  caller = await newCaller(organizationId);
  const random = randomFrom(5);
  const sources = [...new Set(listed.map(({ source }) => source))];
  for (let n = 0; n < FILLED; n++) {
    const source = sources[n % sources.length]!;
    const scopes = SCOPES.filter((scope) => scope.source === source);
    const id = await storeConnection(organizationId, source);
    await enable(organizationId, id, scopes);
    for (const scope of scopes.filter(({ resource }) => resource !== null)) {
      if (random.chance(0.8)) await table.put(coverageOf(organizationId, id, scope, random.int(1, 40), random));
      const synced = await newSyncedScope(scope, { organizationId, connectionId: id });
      for (const period of ['2026-11', '2026-09'])
        await synced.sync(
          period,
          Array.from({ length: random.int(0, 4) }, (_, at) => ROW_MAKERS[scopeId(scope)]!(random, period, at + 1)),
        );
    }
  }
}, 60_000);
afterAll(async () => {
  plantClock(undefined);
  await server.stop();
});

const ask = (query = '', who = caller) => call(contract, handler, { ...who, query });

// biome-ignore lint/suspicious/noExplicitAny: answers are compared as they came
type Any = any;

/** The coverage of one connection in the form of the list. */
const ofOne = async (id: string, isIn: (period: string) => boolean): Promise<Any> => {
  const { body } = await call(oneContract, oneHandler, { ...caller, params: { id } });
  return body.data.map(({ scope, periods }: Any) => ({
    scope,
    periods: periods
      .filter(({ period }: Any) => period === null || isIn(period))
      .map(({ differences: _, ...cell }: Any) => cell),
  }));
};

test('each connection has the coverage that it has alone, newest created first', async () => {
  const { status, body } = await ask(ALL_MONTHS);
  expect([status, body.pagination]).toEqual([200, { total: FILLED, limit: 50, offset: 0, has_more: false }]);
  const { data } = (await call(listContract, listHandler, caller)).body;
  expect(body.data.map(({ connection_id }: Any) => connection_id)).toEqual(data.map(({ id }: Any) => id));
  expect(body.data.map(({ name, external_source_code }: Any) => [name, external_source_code])).toEqual(
    data.map(({ name, external_source_code }: Any) => [name, external_source_code]),
  );
  for (const { connection_id: id, scopes } of body.data)
    expect(scopes).toEqual(await ofOne(id, (period) => period >= '2024-01'));
  const states = new Set(
    body.data.flatMap(({ scopes }: Any) =>
      scopes.flatMap(({ periods }: Any) => periods.map(({ state }: Any) => state)),
    ),
  );
  expect([...states].sort()).toEqual(['complete', 'never', 'partial']);
});

test('names the company of a connection, and null where the metadata names no company', async () => {
  const of = randomUUID();
  const who = await newCaller(of);
  const [bare, named] = [await storeConnection(of, 'tax'), await storeConnection(of, 'tax')];
  const metadata = { company_rut: '76192083-9', company_name: 'Ñandú SpA' };
  await connections.change((await connections.find(of, named))!, { metadata }, BY_SERVICE);
  const { data } = (await ask('', who)).body;
  const companies = new Map(data.map((each: Any) => [each.connection_id, [each.company_rut, each.company_name]]));
  expect(companies).toEqual(
    new Map([
      [named, ['76192083-9', 'Ñandú SpA']],
      [bare, [null, null]],
    ]),
  );
});

test('only the asked months; without months, the last twelve', async () => {
  const { body } = await ask('period_from=2026-09&period_to=2026-10');
  for (const { connection_id: id, scopes } of body.data)
    expect(scopes).toEqual(await ofOne(id, (period) => period === '2026-09' || period === '2026-10'));
  const [year, same] = [await ask(), await ask('period_from=2025-12&period_to=2026-11')];
  expect(year.body).toEqual(same.body);
});

test('rows that were just written are read consistently', async () => {
  const id = (await ask()).body.data[0].connection_id;
  const atMs = Date.parse('2026-11-20T12:00:00.000Z');
  try {
    plantClock(() => atMs + ROW_LIMITS.rowsSettledMs - 1);
    const { body } = await ask(ALL_MONTHS);
    expect(body.data[0].scopes).toEqual(await ofOne(id, (period) => period >= '2024-01'));
  } finally {
    plantClock(() => Date.parse(NOW));
  }
});

test('pages do not overlap, and another organization sees none of them', async () => {
  const pages = await Promise.all([0, 5, 10, 15].map((offset) => ask(`limit=5&offset=${offset}`)));
  expect(pages.map(({ body }) => [body.data.length, body.pagination.has_more])).toEqual([
    ...[
      [5, true],
      [5, true],
      [2, false],
    ],
    [0, false],
  ]);
  const ids = pages.flatMap(({ body }) => body.data.map(({ connection_id }: Any) => connection_id));
  expect(new Set(ids).size).toBe(FILLED);
  expect((await ask('', await newCaller(randomUUID()))).body).toEqual({
    data: [],
    pagination: { total: 0, limit: 50, offset: 0, has_more: false },
  });
});

describe('refuses', () => {
  test.each([
    ['period_from=2023-12&period_to=2026-11', 'period_from to period_to are 36 months', 200],
    [
      'period_from=2023-11&period_to=2026-11',
      'period_from to period_to are 37 months, more than 36: ask for fewer',
      400,
    ],
    ['period_from=2026-11&period_to=2026-10', 'period_from must not be after period_to (2026-10)', 400],
    ['period_from=2026-12', 'period_from must not be after period_to (2026-11)', 400],
    ['period_from=2026-13', 'period_from must be a period of the form YYYY-MM', 400],
    ['limit=201', 'limit must be between 1 and 200', 400],
    ['period=2026-10', 'period is not a known query parameter. Known: period_from, period_to, limit, offset.', 400],
  ])('%s', async (query, message, status) => {
    const answer = await ask(query);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toEqual({ error: { code: 'validation_error', message } });
  });
});

test(`${CONNECTIONS} connections take five requests, each of bounded cost`, async () => {
  const many = randomUUID();
  const random = randomFrom(9);
  const tax = SCOPES.filter(({ source }) => source === 'tax');
  const first = await storeConnection(many, 'tax');
  await enable(many, first, tax);
  const like = await connections.find(many, first);
  const copies = Array.from({ length: CONNECTIONS - 1 }, () => ({ ...like!, id: randomUUID() }));
  await table.update(keys.connectionCount(many), { add: { count: copies.length } });
  await table.batchWrite({
    puts: [like!, ...copies].flatMap((connection) => [
      { ...keys.connection(many, connection.id), ...connections.connectionItem.toItem(connection) },
      ...tax.map((scope) => coverageOf(many, connection.id, scope, 12, random)),
    ]),
  });
  const who = await newCaller(many);
  await ask('limit=1', who);
  const seen = new Set<string>();
  for (let offset = 0; offset < CONNECTIONS; offset += PAGE) {
    const calls = await tableCallsOf(async () => {
      const { body } = await ask(`limit=${PAGE}&offset=${offset}`, who);
      expect(body.pagination).toMatchObject({ total: CONNECTIONS, has_more: offset + PAGE < CONNECTIONS });
      for (const { connection_id, scopes } of body.data) {
        seen.add(connection_id);
        expect(scopes.map(({ periods }: Any) => periods.length)).toEqual([12, 12, 12]);
      }
    });
    // The list of connections is read once for each page.
    expect(calls.readUnits).toBeLessThanOrEqual(PAGE * UNITS_PER_CONNECTION_MAX + CONNECTIONS / 4);
    expect(calls.writeUnits).toBe(0);
  }
  expect(seen.size).toBe(CONNECTIONS);
}, 60_000);

test('the largest answer fits: 200 connections with 36 months of each scope', () => {
  const periodic = SCOPES.filter((scope) => scope.periodic && scope.resource !== null);
  const scopesMax = Math.max(
    ...[...Map.groupBy(periodic, ({ source }) => source).values()].map(({ length }) => length),
  );
  const cell = {
    ...{ period: '2026-10', rows: 1_000_000, state: 'complete', reason: 'bankthree.movements.statement_shorter' },
    ...{ is_open: false, as_of: NOW, verdict: 'not_told' },
  };
  const monthBytes = JSON.stringify(cell).length + 1;
  const connectionBytes = 1_000;
  expect(PAGE * (connectionBytes + scopesMax * 36 * monthBytes)).toBeLessThan(ANSWER_BYTES_MAX);
});

/** Every read endpoint as called: its answer to a connection, a filter and an id, with exactly the listed fields. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { rowId } from '#shared/rows/item/row-items.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import { LISTS } from '#shared/scopes/lists.gen.ts';
import { type Row, type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { call } from '#test/helpers/http.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';

const ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const PERIOD = '2026-10';
const listed = SCOPES.filter(({ resource }) => resource !== null);

let server: EngineTable;
let caller: Credential;
/** Source → a connection to it, with rows of every scope. */
const connectionOf: Record<string, string> = {};

const ROWS = 12;
const rowsOf = (scope: ScopeDefinition): Row[] =>
  Array.from({ length: ROWS }, (_, n) => ROW_MAKERS[scopeId(scope)]!(randomFrom(n), PERIOD, n));

beforeAll(async () => {
  server = await startEngineTable();
  useSharedSecretIssuer();
  caller = (await callersOf(ORGANIZATION))['access-token'];
  for (const source of new Set(listed.map((scope) => scope.source)))
    connectionOf[source] = await storeConnection(ORGANIZATION, source);
  for (const scope of listed) {
    const synced = await newSyncedScope(scope, {
      organizationId: ORGANIZATION,
      connectionId: connectionOf[scope.source]!,
    });
    await synced.sync(PERIOD, rowsOf(scope));
  }
});
afterAll(() => server.stop());

const ask = async (path: string, params: Record<string, string>, query = '') => {
  const contract = ENDPOINTS.find((endpoint) => endpoint.path === path && endpoint.method === 'GET')!;
  return call(contract, await handlerOf(contract.id), { ...caller, params, query });
};
const list = (scope: ScopeDefinition, query = '', id = connectionOf[scope.source]!) =>
  ask(`/connections/{id}/${scope.resource}`, { id }, query);

const sorted = (value: object) => Object.keys(value).sort();

describe.each(listed.map((scope): [string, ScopeDefinition] => [scope.resource!, scope]))('%s', (resource, scope) => {
  test('a page has exactly the fields listed', async () => {
    const answer = await list(scope, 'limit=2&offset=1');
    expect([answer.status, sorted(answer.body)]).toEqual([200, ['data', 'pagination']]);
    const { pagination, data } = answer.body;
    expect(pagination).toEqual({ total: expect.any(Number), limit: 2, offset: 1, has_more: true });
    expect(data).toHaveLength(2);
    for (const row of data) expect(sorted(row)).toEqual(sorted(scope.listRow.shape));
    expect((await list(scope, `offset=${pagination.total}`)).body).toEqual({
      data: [],
      pagination: { total: pagination.total, limit: 50, offset: pagination.total, has_more: false },
    });
  });

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'offset=-1',
    'from=2026-02-30',
    'to=x',
    'from=2026-10-02&to=2026-10-01',
    'direccion=issued',
  ])('%s: 400', async (query) => {
    const answer = await list(scope, query);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
  });

  test('an unknown connection, and one to another source: 404 that names its lists', async () => {
    const unknown = await list(scope, '', randomUUID());
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'connection_not_found']);
    const source = Object.keys(connectionOf).find((code) => code !== scope.source)!;
    const foreign = await list(scope, '', connectionOf[source]);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'scope_not_found']);
    expect(foreign.body.error.message).toBe(
      `This connection is of ${source}. Its lists: ${LISTS[source]!.join(', ')}.`,
    );
  });

  test('periods, newest first, where the scope comes by month', async () => {
    const path = `/connections/{id}/${resource}/periods`;
    if (!scope.periodic) return expect(ENDPOINTS.some((endpoint) => endpoint.path === path)).toBe(false);
    const answer = await ask(path, { id: connectionOf[scope.source]! });
    expect([answer.status, answer.body]).toEqual([200, { data: [PERIOD] }]);
    expect((await ask(path, { id: connectionOf[scope.source]! }, 'period=2026-10')).status).toBe(400);
    expect((await ask(path, { id: randomUUID() })).body.error.code).toBe('connection_not_found');
  });
});

const balances = listed.filter(({ name }) => name === 'balances');

describe.each(balances.map((scope): [string, ScopeDefinition] => [scope.resource!, scope]))('%s', (_, scope) => {
  test('latest=true: one of each account and currency, without pagination', async () => {
    const answer = await list(scope, 'latest=true&limit=1&offset=7');
    expect([answer.status, sorted(answer.body)]).toEqual([200, ['data']]);
    const of = ({ numero_cuenta, currency }: Row) => `${numero_cuenta} ${currency}`;
    const all = (await list(scope)).body.data as Row[];
    expect(answer.body.data.map(of)).toEqual([...new Set(all.map(of))]);
    for (const row of answer.body.data) {
      expect(sorted(row)).toEqual(sorted(scope.listRow.shape));
      expect(row).toEqual(all.find((other) => of(other) === of(row)));
    }
  });

  test('currency in any case, days in Santiago', async () => {
    const all = (await list(scope)).body.data as Row[];
    const { data, pagination } = (await list(scope, 'currency=clp')).body;
    expect(data).toEqual(all.filter(({ currency }) => currency === 'CLP'));
    expect(pagination.total).toBe(data.length);
    expect((await list(scope, 'currency=EUR')).body.pagination.total).toBe(0);
    expect((await list(scope, 'latest=true&currency=EUR')).body).toEqual({ data: [] });
    expect((await list(scope, 'latest=true&to=2026-09-30')).body).toEqual({ data: [] });
  });

  test.each([
    ['latest=false', 'latest must be true'],
    ['latest=TRUE', 'latest must be true'],
    ['latest=', 'latest must be true'],
    ['latest=true&limit=0', 'limit must be between 1 and 200'],
    ['currency=CL', 'currency must be three letters'],
    ['currency=', 'currency must be three letters'],
    ['currency=%C3%91%C3%91%C3%91', 'currency must be three letters'],
    ['period=2026-10', 'period is not a known query parameter. Known: latest, currency, from, to, limit, offset.'],
  ])('%s: 400 %s', async (query, message) => {
    const answer = await list(scope, query);
    expect([answer.status, answer.body]).toEqual([400, { error: { code: 'validation_error', message } }]);
  });
});

describe('dispatch guides', () => {
  const guides = (query: string) => list(taxGuias, query);

  test('q by name, folio and RUT, with and without its dots; empty or too long: 400', async () => {
    const all = (await guides('')).body.data as Row[];
    const rut = all.find(({ counterparty_rut }) => counterparty_rut !== null)!.counterparty_rut as string;
    const [body = '', check = ''] = rut.split('-');
    const dotted = `${body.slice(0, -6)}.${body.slice(-6, -3)}.${body.slice(-3)}-${check.toLowerCase()}`;
    const expected = all.filter((row) => row.counterparty_rut === rut);
    for (const q of [rut, `${body}${check}`, dotted]) expect((await guides(`q=${q}`)).body.data).toEqual(expected);
    expect((await guides('q=')).body.error.message).toBe('q must have 1 to 64 characters');
    expect((await guides(`q=${'a'.repeat(65)}`)).status).toBe(400);
    expect((await guides('q=zzzz')).body.pagination).toEqual({ total: 0, limit: 50, offset: 0, has_more: false });
  });

  test('one in full has exactly the fields listed', async () => {
    const [row] = (await guides('')).body.data as [Row];
    const path = '/connections/{id}/tax-dispatch-guides/{guideId}';
    const params = { id: connectionOf.tax!, guideId: row.id as string };
    const answer = await ask(path, params);
    expect([answer.status, sorted(answer.body.data)]).toEqual([200, sorted(taxGuias.fullRow.shape)]);
    const { status: _, ...shared } = row;
    expect(answer.body.data).toMatchObject({ ...shared, connection_id: connectionOf.tax });
    const missing = await ask(path, { ...params, guideId: randomUUID() });
    expect([missing.status, missing.body.error.code]).toEqual([404, 'dispatch_guide_not_found']);
    const elsewhere = await ask(path, { ...params, id: connectionOf.bankone! });
    expect(elsewhere.body.error.code).toBe('dispatch_guide_not_found');
    expect((await ask(path, { ...params, guideId: 'x' })).status).toBe(400);
    expect((await ask(path, { id: randomUUID(), guideId: row.id as string })).body.error.code).toBe(
      'connection_not_found',
    );
  });
});

test('a document of another source is not found, even if it is stored under this connection', async () => {
  const owner = { organizationId: ORGANIZATION, connectionId: connectionOf.bankthree! };
  for (const scope of [taxGuias, bankoneNominas])
    await (await newSyncedScope(scope, owner)).sync(PERIOD, rowsOf(scope));
  const id = owner.connectionId;
  const guideId = rowId(id, taxGuias, rowsOf(taxGuias)[0]!);
  const guide = await ask('/connections/{id}/tax-dispatch-guides/{guideId}', { id, guideId });
  expect([guide.status, guide.body.error?.code]).toEqual([404, 'dispatch_guide_not_found']);
  const nominaId = rowId(id, bankoneNominas, rowsOf(bankoneNominas)[0]!);
  const batch = await ask('/connections/{id}/bankone-nominas/{nominaId}/pagos', { id, nominaId });
  expect([batch.status, batch.body.error?.code]).toEqual([404, 'nomina_not_found']);
});

describe('payments of a batch', () => {
  const path = '/connections/{id}/bankone-nominas/{nominaId}/pagos';

  test('an unknown batch, or an id that cannot be one: 404; a batch without any: an empty page', async () => {
    const id = connectionOf.bankone!;
    for (const nominaId of [randomUUID(), 'x', '%00']) {
      const answer = await ask(path, { id, nominaId });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'nomina_not_found']);
    }
    const unknown = await ask(path, { id: randomUUID(), nominaId: randomUUID() });
    expect(unknown.body.error.code).toBe('connection_not_found');
    const nominaId = rowId(id, bankoneNominas, rowsOf(bankoneNominas)[0]!);
    const answer = await ask(path, { id, nominaId: nominaId.toUpperCase() }, 'limit=1');
    expect(answer.body).toEqual({ data: [], pagination: { total: 0, limit: 1, offset: 0, has_more: false } });
    expect((await ask(path, { id, nominaId }, 'period=2026-10')).status).toBe(400);
  });
});

/** Every tool compared with the endpoint that answers the same, over both revisions of the protocol. */
import type { Client } from '@modelcontextprotocol/client';
import { Big } from 'big.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { AGENT_SCOPES, type AgentScope } from '#shared/mcp/agent-scopes.ts';
import { cleanText } from '#shared/mcp/untrusted-text.rules.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { type Row, scopeId } from '#shared/scopes/scope.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { callTool, connectAgent, REVISIONS, type Structured, useAgentOrigin } from '#test/helpers/agent-client.ts';
import { type AgentWorld, createAgentWorld } from '#test/helpers/agent-world.ts';
import { bearer, keyOf } from '#test/helpers/callers.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { call } from '#test/helpers/http.ts';

const ROWS = 60;
let server: EngineTable;
let world: AgentWorld;

beforeAll(async () => {
  server = await startEngineTable();
  useAgentOrigin();
  world = await createAgentWorld(ROWS);
});
afterAll(async () => {
  plantClock(undefined);
  await server.stop();
});

let minute = 0;

/** Each client has its own key and minute, so that no test uses up the calls of another. */
const newClient = async (revision: (typeof REVISIONS)[number] = '2026-07-28'): Promise<Client> => {
  const startedMs = Date.now() + 60_000 * ++minute;
  plantClock(() => startedMs);
  return connectAgent((await keyOf(world.organizationId)).token, revision);
};

const rest = async (path: string, params: Record<string, string>, query = ''): Promise<Structured> => {
  const contract = ENDPOINTS.find((endpoint) => endpoint.path === path && endpoint.method === 'GET')!;
  const { token } = await keyOf(world.organizationId);
  const answer = await call(contract, await handlerOf(contract.id), { ...bearer(token), params, query });
  expect(answer.status).toBe(200);
  return answer.body;
};

const listOf = async (scope: AgentScope, query: string): Promise<{ data: Row[]; pagination: { total: number } }> =>
  rest(`/connections/{id}/${scope.resource}`, { id: world.of(scope).connection_id }, query);

const shown = (scope: AgentScope, row: Row): Row =>
  Object.fromEntries(
    scope.agent.columns.map((field) => {
      const value = row[field];
      return [field, typeof value === 'string' ? cleanText(value, 200) : value];
    }),
  );

const scopes = AGENT_SCOPES.map((scope): [string, AgentScope] => [scopeId(scope), scope]);

describe.each(REVISIONS)('over %s', (revision) => {
  test('lists are complete, and each tool answers its first question', async () => {
    const client = await newClient(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('search_rows');
    for (const { annotations } of tools)
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['cierre_mensual']);
    const { messages } = await client.getPrompt({ name: 'cierre_mensual', arguments: { period: '2026-10' } });
    expect(JSON.stringify(messages)).toContain('2026-10');
    const { resources } = await client.listResources();
    const [content] = (await client.readResource({ uri: resources[0]!.uri })).contents;
    for (const scope of AGENT_SCOPES)
      expect((content as { text: string }).text).toContain(`## ${scope.source} ${scope.name}`);
    const { answer } = await callTool(client, 'whoami');
    expect(answer).toMatchObject({ organization_id: world.organizationId, client: 'test', credential: 'key' });
    expect((await callTool(client, 'list_connections')).answer.total).toBe(4);
  });
});

describe.each(scopes)('%s', (_, scope) => {
  test('search_rows gives by cursor what the list gives by offset, exactly once', async () => {
    const client = await newClient();
    const { data, pagination } = await listOf(scope, 'limit=200');
    const found: Row[] = [];
    for (let cursor: string | undefined; ; ) {
      const { answer, bytes } = await callTool(client, 'search_rows', { ...world.of(scope), limit: 50, cursor });
      expect(bytes).toBeLessThanOrEqual(8_192);
      expect(answer.total).toBe(pagination.total);
      found.push(...answer.rows);
      if (answer.next_cursor === null) break;
      expect(answer.rows.length).toBeGreaterThan(0);
      cursor = answer.next_cursor;
    }
    expect(found).toEqual(data.map((row) => shown(scope, row)));
  });

  test('filters are those of the list', async () => {
    const client = await newClient();
    for (const [name, values] of Object.entries(scope.facets)) {
      const { data, pagination } = await listOf(scope, `${name}=${values[0]}&from=2026-10-01&to=2026-10-31&limit=1`);
      const { answer } = await callTool(client, 'search_rows', {
        ...world.of(scope),
        from: '2026-10-01',
        to: '2026-10-31',
        filters: { [name]: values[0] },
        limit: 1,
      });
      expect([answer.total, answer.rows]).toEqual([pagination.total, data.map((row) => shown(scope, row))]);
    }
    const unknown = await callTool(client, 'search_rows', { ...world.of(scope), filters: { folioo: 'x' } });
    expect(unknown.isError).toBe(true);
    expect(unknown.answer.error.code).toBe('validation_error');
    for (const name of Object.keys(scope.facets)) expect(unknown.answer.error.message).toContain(name);
  });

  test('list_periods counts what the list has in each month', async () => {
    const client = await newClient();
    const { answer } = await callTool(client, 'list_periods', world.of(scope));
    expect(answer.periods.length).toBeGreaterThan(0);
    for (const { period, rows } of answer.periods) {
      const days = `from=${period}-01&to=${period}-${period === '2026-10' ? 31 : 30}`;
      const { pagination } = await listOf(scope, scope.periodic ? `period=${period}&limit=1` : `${days}&limit=1`);
      expect([period, rows]).toEqual([period, pagination.total]);
    }
  });

  test('period_totals adds up what the list shows, in groups that nothing crosses', async () => {
    const client = await newClient();
    const { isError, answer } = await callTool(client, 'period_totals', { ...world.of(scope), period: '2026-10' });
    if (!scope.periodic) {
      expect([isError, answer.error.code]).toEqual([true, 'validation_error']);
      return;
    }
    const { data } = await listOf(scope, 'period=2026-10&limit=200');
    expect(answer.rows).toBe(data.length);
    let { next_cursor } = answer;
    const groups: Structured[] = [...answer.groups];
    while (next_cursor !== null) {
      const next = await callTool(client, 'period_totals', {
        ...world.of(scope),
        period: '2026-10',
        cursor: next_cursor,
      });
      groups.push(...next.answer.groups);
      next_cursor = next.answer.next_cursor;
    }
    expect(groups.reduce((sum, { rows }) => sum + rows, 0)).toBe(data.length);
    for (const { group, rows, sums, rows_without = {} } of groups) {
      const own = data.filter((row) => scope.agent.groups.every((field) => (row[field] ?? null) === group[field]));
      expect(rows).toBe(own.length);
      for (const field of scope.agent.sums) {
        const amounts = own.map((row) => row[field]).filter((amount) => amount !== null);
        const sum = amounts.reduce((all: Big, amount) => all.plus(amount as string), new Big(0));
        expect([field, sums[field], rows_without[field] ?? 0]).toEqual([
          field,
          sum.toFixed(),
          own.length - amounts.length,
        ]);
      }
    }
  });

  test('coverage is that of the API, month by month', async () => {
    const client = await newClient();
    const of = world.of(scope);
    const [known] = (await rest('/connections/{id}/coverage', { id: of.connection_id }, `scope=${scope.name}`)).data;
    const asked = { connection_id: of.connection_id, scopes: [scope.name] };
    const { answer } = await callTool(client, 'coverage', asked);
    expect(answer.months).toEqual(known.periods.map((month: object) => ({ scope: scope.name, ...month })));
    const october = (await callTool(client, 'coverage', { ...asked, months: ['2026-10'] })).answer.months;
    const wanted = answer.months.filter(({ period }: Structured) => period === '2026-10' || period === null);
    expect(october).toEqual(wanted);
    const refused = await callTool(client, 'coverage', { ...asked, scopes: ['licitaciones'] });
    expect(refused.answer.error.message).toContain(scope.name);
  });

  test('get_document is the document but for the source’s own record of it', async () => {
    const client = await newClient();
    const [row] = (await listOf(scope, 'limit=1')).data;
    const { isError, answer } = await callTool(client, 'get_document', { ...world.of(scope), id: row!.id });
    if (scope.document === null) {
      expect([isError, answer.error.code]).toEqual([true, 'validation_error']);
      expect(answer.error.message).toContain('guias, rcv');
      return;
    }
    const { data } = await rest(`/connections/{id}/${scope.resource}/{${scope.document.idParam}}`, {
      id: world.of(scope).connection_id,
      [scope.document.idParam]: String(row!.id),
    });
    const { raw_row: _, ...document } = data;
    expect(answer.document).toEqual(document);
  });
});

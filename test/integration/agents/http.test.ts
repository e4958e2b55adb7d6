import { afterAll, beforeAll, expect, test } from 'vitest';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { answerCall } from '#shared/mcp/answer-call.ts';
import { LISTED_TOOLS } from '#shared/mcp/listed-tool.ts';
import type { Agent, Tool } from '#shared/mcp/tool.ts';
import { TOOLS } from '#shared/mcp/tools/tools.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { ServiceBusy } from '#shared/platform/patience.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { callTool, connectAgent, REVISIONS, useAgentOrigin } from '#test/helpers/agent-client.ts';
import { type AgentWorld, createAgentWorld } from '#test/helpers/agent-world.ts';
import { bearer, keyOf } from '#test/helpers/callers.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { answered, eventOf, type Request } from '#test/helpers/http.ts';

let server: EngineTable;
let world: AgentWorld;
let token: string;

beforeAll(async () => {
  server = await startEngineTable();
  useAgentOrigin();
  world = await createAgentWorld(3);
  token = (await keyOf(world.organizationId)).token;
});
afterAll(async () => {
  plantClock(undefined);
  await server.stop();
});

const JSON_RPC = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

const post = async ({ headers, ...request }: Partial<Request>) =>
  answered(
    await handlerOf('serve-mcp'),
    eventOf({
      method: 'POST',
      path: '/api/mcp',
      ...request,
      headers: { ...bearer(token).headers, ...JSON_RPC, ...headers },
    }),
  );

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

test('what every client reads first is small: 10,000 bytes of tools', async () => {
  const client = await connectAgent(token, '2025-11-25');
  const { tools } = await client.listTools();
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(10_000);
  expect(tools.map(({ name }) => name)).toEqual(LISTED_TOOLS.map(({ name }) => name));
});

test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('%s: 405, and the method that there is', async (method) => {
  const { status, headers } = await answered(
    await handlerOf('not-found'),
    eventOf({ method, path: '/api/mcp', ...bearer(token) } as Request),
  );
  expect([status, headers.allow]).toEqual([405, 'POST']);
});

test.each([
  ['no JSON', '{', {}, 400, -32_700],
  ['another media type', '{}', { 'content-type': 'text/plain' }, 415, -32_000],
  ['a revision of nobody', JSON.stringify(listTools), { 'mcp-protocol-version': '1999-01-01' }, 400, -32_000],
])('%s: refused in the protocol’s own words', async (_, body, headers, status, code) => {
  const answer = await post({ body, headers });
  expect([answer.status, answer.body?.error.code]).toEqual([status, code]);
});

const EVENT = 'text/event-stream';

test.each([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['text/html', 'application/json'],
  [undefined, 'application/json'],
  ['not a type', 'application/json'],
  ['application/json, text/event-stream', 'application/json'],
  ['text/event-stream', EVENT],
  ['text/event-stream, application/json;q=0.5', EVENT],
])('accept: %s is answered as %s', async (accept, form) => {
  for (const headers of [{ accept }, { accept, 'mcp-protocol-version': '2025-11-25' }]) {
    const answer = await post({ body: listTools, headers: headers as Record<string, string> });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, form]);
    const message = form === EVENT ? /^event: message\ndata: (.+)\n\n$/.exec(answer.text)![1]! : answer.text;
    expect(JSON.parse(message).result.tools).toHaveLength(LISTED_TOOLS.length);
  }
});

test.each([
  ['tools/list', null],
  ['tools/call', { name: 'whoami', arguments: null }],
  ['tools/call', { name: 'list_connections', arguments: { cursor: null } }],
  ['prompts/get', { name: 'cierre_mensual', arguments: { period: '2026-01', note: null } }],
])('%s: null counts as absent in %j', async (method, params) => {
  const { status, body } = await post({ body: { jsonrpc: '2.0', id: 1, method, params } });
  expect([status, body.error, body.result?.isError]).toEqual([200, undefined, undefined]);
});

test('null in a required argument is a missing argument, and null in a filter no filter', async () => {
  const call = async (args: object) => {
    const params = { name: 'search_rows', arguments: args };
    return (await post({ body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })).body.result
      .structuredContent;
  };
  expect((await call({ connection_id: null, scope: 'rcv' })).error.message).toContain('connection_id is required');
  const filters = { direction: null, estado: null };
  expect((await call({ ...world.of(taxRcv), period: null, filters })).total).toBeGreaterThan(0);
});

test.each([' ', ''])('many messages in one body (%j): all refused', async (before) => {
  const { token: own } = await keyOf(world.organizationId);
  const calls = Array.from({ length: 3 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'whoami', arguments: {} },
  }));
  const { status, body } = await post({ body: `${before}${JSON.stringify(calls)}`, headers: bearer(own).headers! });
  expect([status, body.error.code, body.id]).toEqual([400, -32_600, null]);
});

test.each([
  ['an id', (text: string) => ({ ...listTools, id: text })],
  ['an address of a resource', (uri: string) => ({ ...listTools, method: 'resources/read', params: { uri } })],
])('%s of 1,000 characters is answered, a longer one is not sent back', async (_, message) => {
  expect((await post({ body: message('x'.repeat(1_000)) })).text).toContain('x'.repeat(1_000));
  const { status, body, text } = await post({ body: message('x'.repeat(1_001)) });
  expect([status, body.error.code, body.id]).toEqual([400, -32_600, null]);
  expect(text).not.toContain('xxx');
});

test.each([
  ['refuses calls as too many', new ServiceBusy('the table is too busy')],
  ['does not answer', Object.assign(new Error('late'), { name: 'TimeoutError' })],
])('a table that %s: the agent learns to call again', async (_, fault) => {
  const tool: Tool = {
    ...TOOLS.find(({ name }) => name === 'whoami')!,
    run: async () => {
      throw fault;
    },
  };
  const agent: Agent = { organizationId: world.organizationId, credentialId: 'of-this-test', kind: 'key' };
  const { structuredContent } = await answerCall(tool, {}, agent);
  expect(structuredContent).toMatchObject({
    error: { code: 'temporarily_unavailable', next: expect.stringMatching(/again in a few seconds/) },
  });
});

test('a header in letters that HTTP has not costs nobody an answer', async () => {
  const { status } = await post({ body: listTools, headers: { 'user-agent': 'A\u011fent', 'x-note': 'a\nb' } });
  expect(status).toBe(200);
});

test('a body above the limit: 413, before anything is read', async () => {
  const { status, body } = await post({
    body: JSON.stringify({ ...listTools, more: 'x'.repeat(HTTP_LIMITS.bodyBytesMax) }),
  });
  expect([status, body.error.code]).toEqual([413, -32_000]);
});

test('a body in base64, as the gateway hands over what it takes for no text, is read', async () => {
  const body = Buffer.from(JSON.stringify(listTools)).toString('base64');
  const { status, text } = await post({ body, isBase64Encoded: true });
  expect(status).toBe(200);
  expect(text).toContain('search_rows');
});

test('an answer may not be cached, and a notification has no body', async () => {
  const { headers } = await post({ body: listTools });
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['mcp-session-id']).toBeUndefined();
  const noted = await post({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  expect([noted.status, noted.text]).toEqual([202, '']);
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN = { 'mcp-protocol-version': '2026-07-28' };

test('lists may be cached for an hour by anyone, and nothing is announced', async () => {
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'server/discover']) {
    const body = { jsonrpc: '2.0', id: 1, method, params: { _meta: META } };
    const { body: answer } = await post({ body, headers: { ...MODERN, 'mcp-method': method } });
    expect([method, answer.result.ttlMs, answer.result.cacheScope]).toEqual([method, 3_600_000, 'public']);
  }
  const client = await connectAgent(token, '2026-07-28');
  expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {} });
});

test.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
  '%s has one page: a cursor is not one of ours',
  async (method) => {
    const { body } = await post({ body: { jsonrpc: '2.0', id: 1, method, params: { cursor: 'x' } } });
    expect(body.error).toMatchObject({ code: -32_602, message: 'Unknown cursor' });
  },
);

test('a subscription ends at once, and holds no function', async () => {
  const body = {
    jsonrpc: '2.0',
    id: 9,
    method: 'subscriptions/listen',
    params: { _meta: META, filter: { toolsListChanged: true }, notifications: { toolsListChanged: true } },
  };
  const { body: answer } = await post({ body, headers: { ...MODERN, 'mcp-method': 'subscriptions/listen' } });
  expect(answer).toMatchObject({
    id: 9,
    error: { code: -32_603, message: expect.stringContaining('Subscription limit') },
  });
});

test('an unknown tool, prompt or resource is an error of the protocol that quotes nothing', async () => {
  const client = await connectAgent(token, '2025-11-25');
  for (const ask of [
    () => client.callTool({ name: 'drop_table', arguments: {} }),
    () => client.getPrompt({ name: 'drop_table' }),
    () => client.readResource({ uri: 'file:///etc/passwd' }),
    () => client.getPrompt({ name: 'cierre_mensual', arguments: { period: 'octubre' } }),
  ]) {
    const refusal = await ask().then(
      () => undefined,
      (error: { code: number; message: string }) => error,
    );
    expect(refusal?.code).toBe(-32_602);
    expect(refusal?.message).not.toMatch(/drop_table|passwd|octubre/);
  }
});

test.each(REVISIONS)(
  '%s: arguments are validated by the listed schema, and a finding quotes no value',
  async (revision) => {
    const client = await connectAgent(token, revision);
    const of = world.of(taxRcv);
    for (const [args, finding] of [
      [{}, 'connection_id is required; scope must be one of'],
      [{ ...of, scope: 'secret-scope' }, 'scope must be one of'],
      [{ ...of, limit: 51 }, 'limit must be between 1 and 50'],
      [{ ...of, period: '2026-13' }, 'period must be a period of the form YYYY-MM'],
      [{ ...of, from: '2026-10-02', to: '2026-10-01' }, 'from must not be after to'],
      [{ ...of, sql: 'secret' }, 'sql is not a known property'],
      [{ ...of, filters: { estado: 'secret' } }, 'estado must be one of registro, pendiente, no_incluir, reclamado'],
      [{ ...of, filters: { latest: true } }, 'rcv takes only direction, estado, document_type'],
      [{ ...of, filters: { document_type: 'secret' } }, 'document_type must be a document type code'],
      [{ ...world.of(taxBoletas), text: 'secret' }, 'text is not possible for boletas'],
      [{ ...of, scope: 'movements' }, 'scope must be one of boletas, guias, rcv for this connection'],
    ] as const) {
      const { isError, answer } = await callTool(client, 'search_rows', args);
      expect([isError, answer.error.code]).toEqual([true, 'validation_error']);
      expect(answer.error.message).toContain(finding);
      expect(answer.error.next).toContain('Correct');
      expect(JSON.stringify(answer)).not.toContain('secret');
    }
  },
);

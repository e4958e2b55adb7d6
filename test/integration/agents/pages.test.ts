/** Clients in a browser: they ask by OPTIONS before they read the documents, register, redeem or revoke. */
import { beforeAll, expect, test } from 'vitest';
import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { useAgentOrigin } from '#test/helpers/agent-client.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { answered, eventOf, type Request } from '#test/helpers/http.ts';

beforeAll(useAgentOrigin);

const ORIGIN = { origin: 'https://page.test' };
const ENDPOINTS = [
  ['get-oauth-metadata', 'GET', AGENT_PATHS.serverMetadata],
  ['get-oauth-metadata', 'GET', AGENT_PATHS.resourceMetadata],
  ['get-oauth-metadata', 'GET', AGENT_PATHS.resourceMetadataAtRoot],
  ['register-client', 'POST', AGENT_PATHS.register],
  ['exchange-token', 'POST', AGENT_PATHS.token],
  ['revoke-token', 'POST', AGENT_PATHS.revoke],
] as const;

const send = async (id: string, request: Request) => answered(await handlerOf(id), eventOf(request));

test.each(ENDPOINTS)('%s, %s %s: a page may ask, without credentials', async (id, method, path) => {
  const headers = { ...ORIGIN, 'access-control-request-headers': 'content-type, mcp-protocol-version' };
  const asked = await send(id, { method: 'OPTIONS', path, headers } as unknown as Request);
  expect([asked.status, asked.text]).toEqual([204, '']);
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-allow-methods': expect.stringContaining(method),
  });
  expect(asked.headers).not.toHaveProperty('access-control-allow-credentials');
});

test.each(ENDPOINTS)('%s, %s %s: a page reads the answer, also a refusal', async (id, method, path) => {
  const { status, headers } = await send(id, { method, path, headers: ORIGIN } as Request);
  expect([status, headers['access-control-allow-origin']]).toEqual([method === 'GET' ? 200 : 400, '*']);
});

test('the agents’ own address stays closed to pages', async () => {
  const { headers } = await send('serve-mcp', { method: 'POST', path: AGENT_PATHS.mcp, headers: ORIGIN } as Request);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

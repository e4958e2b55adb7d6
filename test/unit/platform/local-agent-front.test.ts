/** The local front of agents runs CloudFront's function: also an address with a slash behind it leads to the API. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgentFront } from '#tools/local/agent-front.ts';

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (!createAgentFront(url)(request, response, request.url!.split('?')[0]!)) response.end(request.url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test.each([
  ['/api/mcp/', '/api/mcp'],
  ['/.well-known/oauth-protected-resource/api/mcp/?x=/', '/.well-known/oauth-protected-resource/api/mcp?x=/'],
  ['/api/mcp', '/api/mcp'],
  ['/api/connections/', '/api/connections/'],
])('%s reaches the API as %s', async (sent, reached) => {
  expect(await (await fetch(url + sent, { headers: { authorization: 'Bearer x' } })).text()).toBe(reached);
});

test.each(['/api/mcp', '/api/mcp/'])('a POST to %s without a token gets the challenge', async (path) => {
  const { status, headers } = await fetch(url + path, { method: 'POST' });
  expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('/api/mcp"')]);
});

test.each(['127.0.0.1', 'localhost'])('a client that writes %s is led on under that name', async (name) => {
  const origin = url.replace('127.0.0.1', name);
  const { headers } = await fetch(`${origin}/api/mcp`, { method: 'POST' });
  expect(headers.get('www-authenticate')).toContain(`resource_metadata="${origin}/.well-known/`);
});

/**
 * An agent's application that knows only the stage's public address: the distribution names the authorization server, a
 * person allows the access, and the application reads. The address is a name that does not resolve here: requests to it
 * are sent to the distribution on loopback.
 */
import { afterAll, expect, test } from 'vitest';
import { buildResourceUrl } from '#shared/agents/addresses.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';
import { allowWith, connectApplication } from '#tools/local/demo/agent-application.ts';

const { EDGE: edge = '', DASHBOARD_HOST: host = '' } = process.env;
const origin = `https://${host}`;

const seen: string[] = [];
const reach = async (url: string | URL, init?: RequestInit): Promise<Response> => {
  const asked = new URL(url);
  if (asked.origin !== origin) throw new Error(`the application went to ${asked.origin}`);
  const answer = await fetch(`${edge}${asked.pathname}${asked.search}`, init);
  seen.push(`${init?.method ?? 'GET'} ${asked.pathname} ${answer.status}`);
  return answer;
};

const stage = useStack();
afterAll(() => {
  // Requests that explain a failure.
  expect(seen.filter((line) => line.endsWith(' 500'))).toEqual([]);
});

test('the distribution itself tells a stranger where to ask', async () => {
  const answer = await reach(buildResourceUrl(origin), { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('x-cache')).toContain('FunctionGeneratedResponse');
  expect(answer.headers.get('www-authenticate')).toContain(
    `resource_metadata="${origin}/.well-known/oauth-protected-resource/api/mcp"`,
  );
});

test('an application obtains a token and asks; revoked, it is refused at once', async () => {
  const { api } = stage;
  const person = { api: `${origin}/api`, session: api.file.session };
  const { client, name } = await connectApplication(origin, allowWith(person, reach), 'auto', reach);
  expect(seen).toContain('POST /api/oauth/register 201');
  expect(seen).toContain('POST /api/oauth/token 200');

  const answer = await client.callTool({ name: 'list_connections', arguments: {} });
  expect(answer.isError ?? false).toBe(false);
  expect(JSON.stringify(answer.structuredContent)).toContain('"connections"');
  const { structuredContent } = await client.callTool({ name: 'whoami', arguments: {} });
  expect(structuredContent).toMatchObject({ organization_id: api.file.organization_id, client: name });

  const { data: grants } = await api.must(200, 'GET', '/oauth/grants', { as: 'session' });
  const grant = grants.find((each: { client_name: string; status: string }) => each.client_name === name);
  expect(grant).toMatchObject({ status: 'active' });
  await api.must(200, 'DELETE', `/oauth/grants/${grant.id}`, { as: 'session' });
  await expect(client.callTool({ name: 'whoami', arguments: {} })).rejects.toThrow();
  await client.close();
});

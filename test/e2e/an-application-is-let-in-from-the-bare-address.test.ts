/** A client that knows only the address of the resource, over HTTP: challenge, metadata, registration, tokens. */
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';

const stage = useSharedStack();

// biome-ignore lint/suspicious/noExplicitAny: bodies of several standards
const json = async (url: string, init?: RequestInit): Promise<any> => (await fetch(url, init)).json();

const asPerson = async (path: string, body: object) =>
  (
    await json(`${stage.api.file.api}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `sb-access-token=${stage.api.file.session}` },
      body: JSON.stringify(body),
    })
  ).data;

/** On this machine the address may also begin with `localhost`, which some clients write by themselves. */
test.each(['127.0.0.1', 'localhost'])(
  'by %s: the challenge leads to the metadata, the metadata to a token, the token to the data',
  async (name) => {
    const origin = stage.stack.apiUrl.replace('127.0.0.1', name);
    const stranger = await fetch(`${origin}/api/mcp`, { method: 'POST', body: '{}' });
    expect(stranger.status).toBe(401);
    const challenge = stranger.headers.get('www-authenticate')!;
    const [, metadataUrl] = /resource_metadata="([^"]+)"/.exec(challenge)!;
    expect(metadataUrl).toBe(`${origin}/.well-known/oauth-protected-resource/api/mcp`);

    const resource = await json(metadataUrl!);
    expect(resource.resource).toBe(`${origin}/api/mcp`);
    const [issuer] = resource.authorization_servers;
    const server = await json(`${issuer}/.well-known/oauth-authorization-server`);
    expect(server.issuer).toBe(issuer);

    const { client_id } = await json(server.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Agent',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      }),
    });
    const verifier = randomBytes(32).toString('base64url');
    const asked = new URL(server.authorization_endpoint);
    const parameters = {
      response_type: 'code',
      client_id,
      redirect_uri: 'http://127.0.0.1:4711/callback',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: resource.resource,
      scope: resource.scopes_supported.join(' '),
      state: 'af0ifjsldkj',
    };
    for (const [name, value] of Object.entries(parameters)) asked.searchParams.set(name, value);
    const page = await fetch(asked, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('x-frame-options')]).toEqual([200, 'DENY']);

    const query = asked.search.slice(1);
    const { digest } = await asPerson('/oauth/reviews', { query });
    const { redirect_to } = await asPerson('/oauth/decisions', { query, digest, decision: 'allow' });
    const answer = new URL(redirect_to).searchParams;
    expect([answer.get('iss'), answer.get('state')]).toEqual([issuer, 'af0ifjsldkj']);
    const exchange = (form: Record<string, string>) =>
      json(server.token_endpoint, { method: 'POST', body: new URLSearchParams({ client_id, ...form }) });
    const first = await exchange({
      grant_type: 'authorization_code',
      code: answer.get('code')!,
      redirect_uri: parameters.redirect_uri,
      code_verifier: verifier,
      resource: resource.resource,
    });
    const second = await exchange({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    for (const secret of [
      answer.get('code')!,
      ...[first, second].flatMap((each) => [each.access_token, each.refresh_token]),
    ])
      stage.secrets.add(secret);

    const headers = { authorization: `Bearer ${second.access_token}`, 'content-type': 'application/json' };
    const reads = async () => (await fetch(`${origin}/api/connections`, { headers })).status;
    expect(await reads()).toBe(200);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const listing = { method: 'POST', headers, body: JSON.stringify(message) };
    expect((await json(`${origin}/api/mcp`, listing)).result.tools).toHaveLength(9);
    const revoked = await fetch(server.revocation_endpoint, {
      method: 'POST',
      body: new URLSearchParams({ client_id, token: second.refresh_token }),
    });
    expect(revoked.status).toBe(200);
    expect(await reads()).toBe(401);
  },
);

test('an unknown path is no page for any caller; other methods name the right one', async () => {
  const origin = stage.stack.apiUrl;
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource']) {
    const answer = await fetch(`${origin}${path}`, {
      headers: { accept: 'text/html', origin: 'https://inspector.test' },
    });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  }
  const unknown = await fetch(`${origin}/.well-known/openid-configuration`, { headers: { accept: 'text/html' } });
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  const wrong = await fetch(`${origin}/api/oauth/token`);
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  expect(wrong.headers.get('access-control-allow-origin')).toBeNull();
});

test('a header that the gateway renames is also renamed here', async () => {
  const answer = await fetch(`${stage.stack.apiUrl}/api/connections`);
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
  expect(answer.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
});

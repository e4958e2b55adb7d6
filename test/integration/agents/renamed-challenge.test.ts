/**
 * What the protocol's own client does with a token that ended, behind a gateway that renames `www-authenticate` as an
 * HTTP API does: it finds the metadata at the well-known address, refreshes, or asks its person again.
 */
import { Client, type OAuthTokens, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { nowMs, plantClock } from '#shared/platform/clock.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { ORIGIN, useAgentOrigin } from '#test/helpers/agent-client.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { context, eventOf } from '#test/helpers/http.ts';
import { type Application, anApplication, REDIRECT, sendRevocation, tokensFor } from '#test/helpers/oauth.ts';
import { sessionCookie, useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { toAnswer } from '#tools/local/http-answer.ts';

let table: EngineTable;
let atMs = Date.parse('2026-11-05T12:00:00.000Z');
beforeAll(async () => {
  table = await startEngineTable();
  useSharedSecretIssuer();
  useAgentOrigin();
  plantClock(() => atMs);
});
afterAll(async () => {
  plantClock(undefined);
  await table.stop();
});

interface Exchange {
  path: string;
  status: number;
  headers: Headers;
}

/** The gateway of the local stack in front of the handlers of this process. */
const renamingGateway = (seen: Exchange[]): typeof fetch => {
  const idOf = (path: string): string => {
    if (path === AGENT_PATHS.mcp) return 'serve-mcp';
    return path === AGENT_PATHS.token ? 'exchange-token' : 'get-oauth-metadata';
  };
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname: path } = new URL(request.url);
    if (path === AGENT_PATHS.mcp && request.method !== 'POST') return new Response(null, { status: 405 });
    const body = Buffer.from(await request.arrayBuffer()).toString('base64');
    const event = eventOf({ method: request.method, path, headers: Object.fromEntries(request.headers), body });
    const handler = await handlerOf(idOf(path));
    const answer = toAnswer(JSON.stringify(await handler({ ...event, body, isBase64Encoded: true }, context)));
    const headers = new Headers(answer.headers.filter(([name]) => name !== 'content-encoding'));
    seen.push({ path, status: answer.status, headers });
    const isBare = [202, 204].includes(answer.status);
    return new Response(isBare ? null : new Uint8Array(answer.body), { status: answer.status, headers });
  };
};

const clientOf = async (application: Application, tokens: { access: string; refresh: string }) => {
  const seen: Exchange[] = [];
  const asked: URL[] = [];
  let stored: OAuthTokens | undefined = {
    access_token: tokens.access,
    refresh_token: tokens.refresh,
    token_type: 'Bearer',
  };
  const transport = new StreamableHTTPClientTransport(new URL(`${ORIGIN}${AGENT_PATHS.mcp}`), {
    fetch: renamingGateway(seen),
    authProvider: {
      redirectUrl: REDIRECT,
      clientMetadata: { client_name: 'Agent', redirect_uris: [REDIRECT] },
      clientInformation: () => ({ client_id: application.clientId }),
      tokens: () => stored,
      saveTokens: (given) => {
        stored = given;
      },
      invalidateCredentials: () => {
        stored = undefined;
      },
      redirectToAuthorization: (url) => void asked.push(url),
      saveCodeVerifier: () => {},
      codeVerifier: () => application.verifier,
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  return { seen, asked, connect: () => client.connect(transport), client };
};

const anAgent = async (organizationId: string) => {
  const application = await anApplication();
  return { application, tokens: await tokensFor({ cookies: await sessionCookie(organizationId) }, application) };
};

test('a token that expired is refreshed, although the challenge arrives under another name', async () => {
  const { application, tokens } = await anAgent('00000000-0000-4000-8000-000000000001');
  atMs = nowMs() + AGENT_LIMITS.accessTokenMs + 1_000;
  const { seen, asked, connect, client } = await clientOf(application, tokens);
  await connect();
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  const [refused] = seen;
  expect([refused!.path, refused!.status]).toEqual([AGENT_PATHS.mcp, 401]);
  expect(refused!.headers.get('www-authenticate')).toBeNull();
  expect(refused!.headers.get('x-amzn-remapped-www-authenticate')).toContain('error="invalid_token"');
  expect(seen.slice(1, 4).map(({ path, status }) => [path, status])).toEqual([
    [AGENT_PATHS.resourceMetadata, 200],
    [AGENT_PATHS.serverMetadata, 200],
    [AGENT_PATHS.token, 200],
  ]);
  expect(asked).toEqual([]);
});

test('after the permission ended, the client asks its person again, for the scope of the metadata', async () => {
  const { application, tokens } = await anAgent('00000000-0000-4000-8000-000000000002');
  expect((await sendRevocation({ client_id: application.clientId, token: tokens.refresh })).status).toBe(200);
  const { seen, asked, connect } = await clientOf(application, tokens);
  await expect(connect()).rejects.toThrow('Unauthorized');
  expect(asked).toHaveLength(1);
  const [url] = asked as [URL];
  expect(`${url.origin}${url.pathname}`).toBe(`${ORIGIN}${AGENT_PATHS.authorize}`);
  expect(url.searchParams.get('scope')).toBe('data:read');
  expect(url.searchParams.get('resource')).toBe(`${ORIGIN}${AGENT_PATHS.mcp}`);
  expect(seen.map(({ path }) => path)).toContain(AGENT_PATHS.resourceMetadata);
});

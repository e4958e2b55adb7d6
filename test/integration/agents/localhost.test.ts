/** The name `localhost` for this machine: only on the local stage, whose origin is a loopback address. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handler as metadata } from '#functions/api/oauth/get-oauth-metadata/handler.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { bearer, type Credential } from '#test/helpers/callers.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { answered, eventOf } from '#test/helpers/http.ts';
import { type Application, allow, anApplication, queryOf, redeem, review, tokensOf } from '#test/helpers/oauth.ts';
import { sessionCookie, useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const LOCAL = 'http://127.0.0.1:4400';
const ALIAS = 'http://localhost:4400';
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/api/mcp';
let table: EngineTable;
let person: Credential;
let application: Application;

beforeAll(async () => {
  table = await startEngineTable();
});
beforeEach(async () => {
  useSharedSecretIssuer();
  person = { cookies: await sessionCookie('00000000-0000-4000-8000-00000000a11a') };
  application = await anApplication();
});
afterAll(() => table.stop());

const at = (origin: string) => {
  process.env[VARIABLES.publicOrigin] = origin;
};

const describes = async (path: string, host: string) =>
  (await answered(metadata, eventOf({ method: 'GET', path, headers: { host } }))).body;

const ask = async (headers: Record<string, string>) =>
  answered(
    await handlerOf('serve-mcp'),
    eventOf({
      method: 'POST',
      path: '/api/mcp',
      headers: { 'content-type': 'application/json', ...headers },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    }),
  );

describe('on the local stage', () => {
  beforeEach(() => at(LOCAL));

  test('the resource has the name by which it was asked, and one authorization server', async () => {
    for (const origin of [LOCAL, ALIAS])
      expect(await describes(RESOURCE_METADATA, new URL(origin).host)).toMatchObject({
        resource: `${origin}/api/mcp`,
        authorization_servers: [LOCAL],
      });
    expect(await describes('/.well-known/oauth-authorization-server', 'localhost:4400')).toMatchObject({
      issuer: LOCAL,
    });
  });

  test.each(['localhost:4401', 'localhost', 'evil.test:4400', 'localhost.evil.test:4400'])(
    'a request to %s gets the name of the stage',
    async (host) => {
      expect(await describes(RESOURCE_METADATA, host)).toMatchObject({ resource: `${LOCAL}/api/mcp` });
    },
  );

  test('a token for the one name reads under both', async () => {
    const query = queryOf(application, { resource: `${ALIAS}/api/mcp` });
    const code = (await allow(person, query)).searchParams.get('code')!;
    const answer = await redeem(application, code, { resource: `${ALIAS}/api/mcp/` });
    const { headers } = bearer(tokensOf(answer).access);
    for (const host of ['localhost:4400', '127.0.0.1:4400'])
      expect((await ask({ ...headers, host, origin: `http://${host}` })).status).toBe(200);
    expect((await ask({ ...headers, host: 'localhost:4400', origin: 'http://localhost:9' })).status).toBe(403);
  });

  test('a bad token is challenged under the name that was used', async () => {
    const { body } = await ask({ authorization: 'Bearer x', host: 'localhost:4400' });
    expect(body.error.data.resource_metadata).toBe(ALIAS + RESOURCE_METADATA);
  });
});

describe.each(['https://app.test', 'https://localhost:4400'])('on a deployed stage, at %s', (origin) => {
  beforeEach(() => at(origin));

  test('the name of a request changes nothing', async () => {
    expect(await describes(RESOURCE_METADATA, 'localhost:4400')).toMatchObject({ resource: `${origin}/api/mcp` });
    const { body } = await ask({ authorization: 'Bearer x', host: 'localhost:4400' });
    expect(body.error.data.resource_metadata).toBe(origin + RESOURCE_METADATA);
  });

  test('the resource of that name is another one', async () => {
    const { body } = await review(person, queryOf(application, { resource: `${ALIAS}/api/mcp` }));
    expect(new URL(body.data.to).searchParams.get('error')).toBe('invalid_target');
  });
});

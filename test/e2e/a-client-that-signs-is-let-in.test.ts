/** A client with keys, over HTTP: its document and keys are fetched from its server, and each exchange needs its signature. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { type Parameters, queryOf } from '#test/helpers/oauth.ts';
import {
  asParameters,
  newKey,
  type SigningClient,
  type SigningKey,
  signAssertion,
  startSigningClient,
} from '#test/helpers/signing-client.ts';
import { allowWith } from '#tools/local/demo/agent-application.ts';

const stage = useSharedStack();
let key: SigningKey;
let client: SigningClient;
beforeAll(async () => {
  key = await newKey('first');
  client = await startSigningClient([key.jwk]);
});
afterAll(() => client.stop());

const sign = async (): Promise<Parameters> => {
  const iat = Math.floor((await stage.doors.nowMs()) / 1_000);
  const claims = { aud: stage.stack.apiUrl, iat, exp: iat + 60 };
  const assertion = await signAssertion(client.application, key, claims);
  stage.secrets.add(assertion);
  return asParameters(assertion);
};

const send = async (path: string, form: Parameters) => {
  const body = new URLSearchParams({ client_id: client.application.clientId, ...form } as Record<string, string>);
  const answer = await fetch(stage.stack.apiUrl + path, { method: 'POST', body });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

test('code, refresh and revocation, each with an assertion of its own', async () => {
  const { redirectUri, verifier } = client.application;
  const page = new URL(`${stage.stack.apiUrl}${AGENT_PATHS.authorize}?${queryOf(client.application)}`);
  const code = (await allowWith(stage.api.file)(page)).searchParams.get('code')!;
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  expect(await send(AGENT_PATHS.token, form)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  const used = await sign();
  const first = await send(AGENT_PATHS.token, { ...form, ...used });
  expect(first.status).toBe(200);

  const refresh = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token };
  expect((await send(AGENT_PATHS.token, { ...refresh, ...used })).status).toBe(401);
  const second = await send(AGENT_PATHS.token, { ...refresh, ...(await sign()) });
  expect(second.status).toBe(200);
  const reads = async () =>
    (
      await fetch(`${stage.api.file.api}/connections`, {
        headers: { authorization: `Bearer ${second.body.access_token}` },
      })
    ).status;
  expect(await reads()).toBe(200);

  const revocation = { token: second.body.refresh_token };
  expect((await send(AGENT_PATHS.revoke, revocation)).status).toBe(401);
  expect(await reads()).toBe(200);
  expect((await send(AGENT_PATHS.revoke, { ...revocation, ...(await sign()) })).status).toBe(200);
  expect(await reads()).toBe(401);
  expect(client.keyFetches()).toBe(1);
  for (const { body } of [first, second])
    for (const secret of [body.access_token!, body.refresh_token!]) stage.secrets.add(secret);
});

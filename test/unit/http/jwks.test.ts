import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerOfSession } from '#shared/auth/session.ts';

const ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const keys = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
const published = 1;
let fetches = 0;
let isDown = false;

const server = createServer((_, response) => {
  fetches++;
  void Promise.all(
    keys.slice(0, published).map(async ({ publicKey }, n) => ({ ...(await exportJWK(publicKey)), kid: `k${n}` })),
  ).then((jwks) => response.writeHead(isDown ? 503 : 200).end(JSON.stringify({ keys: jwks })));
});

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  Object.assign(process.env, {
    SESSION_ALGORITHM: 'ES256',
    SESSION_ISSUER: 'https://issuer.test',
    SESSION_AUDIENCE: 'authenticated',
    SESSION_JWKS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    SESSION_SECRET: '',
  });
});
afterAll(() => server.close());

const signed = (n: number, kid = `k${n}`) =>
  new SignJWT({ app_metadata: { organization_id: ORGANIZATION } })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer('https://issuer.test')
    .setAudience('authenticated')
    .setExpirationTime('5m')
    .sign(keys[n]!.privateKey);

test('keys come from the issuer; an unknown one is asked for at most once a minute', async () => {
  isDown = true;
  // The issuer is down, which says nothing about the session.
  await expect(callerOfSession(await signed(0))).rejects.not.toMatchObject({ code: 'unauthorized' });
  isDown = false;

  expect(await callerOfSession(await signed(0))).toMatchObject({ organizationId: ORGANIZATION });
  expect(await callerOfSession(await signed(0))).toMatchObject({ organizationId: ORGANIZATION });
  const before = fetches;
  expect(before).toBe(2);
  for (let tries = 0; tries < 5; tries++)
    await expect(callerOfSession(await signed(1, 'k1'))).rejects.toMatchObject({ code: 'unauthorized' });
  expect(fetches).toBe(before);
  // A token signed with one key and labelled with another key's id.
  await expect(callerOfSession(await signed(1, 'k0'))).rejects.toMatchObject({ code: 'unauthorized' });
});

test('a token that names HS256 is not verified with the public key as secret', async () => {
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys[0]!.publicKey)));
  const forged = await new SignJWT({ app_metadata: { organization_id: ORGANIZATION } })
    .setProtectedHeader({ alg: 'HS256', kid: 'k0' })
    .setIssuer('https://issuer.test')
    .setAudience('authenticated')
    .setExpirationTime('5m')
    .sign(secret);
  await expect(callerOfSession(forged)).rejects.toMatchObject({ code: 'unauthorized' });
});

/** The shared secret of sessions if the environment names a parameter instead of the secret (decisions.md §2). */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callerOfSession } from '#shared/auth/session.ts';
import { AUDIENCE, ISSUER, sessionToken } from '#test/helpers/sessions.ts';

const ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const SECRET = 'the-secret-that-only-the-parameter-store-has';

const asked: { headers: IncomingMessage['headers']; body: string }[] = [];
let value: string | null = null;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  asked.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  if (value === null) return response.writeHead(400).end(`{"__type":"ParameterNotFound","message":"${SECRET}"}`);
  return response.end(JSON.stringify({ Parameter: { Name: '/x', Value: value } }));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

const settings = (parameter: string): void => {
  vi.stubEnv('AWS_REGION', 'sa-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'x');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'y');
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('SESSION_ALGORITHM', 'HS256');
  vi.stubEnv('SESSION_ISSUER', ISSUER);
  vi.stubEnv('SESSION_AUDIENCE', AUDIENCE);
  vi.stubEnv('SESSION_SECRET', '');
  vi.stubEnv('SESSION_SECRET_PARAMETER', parameter);
};
const token = () => sessionToken({ organizationId: ORGANIZATION, secret: SECRET });

test('is read once per environment, signed, and decrypted', async () => {
  settings('/app/session');
  value = SECRET;
  asked.length = 0;
  const callers = await Promise.all([token(), token()].map(async (each) => callerOfSession(await each)));
  expect(callers.map(({ organizationId }) => organizationId)).toEqual([ORGANIZATION, ORGANIZATION]);
  expect(asked).toHaveLength(1);
  expect(JSON.parse(asked[0]!.body)).toEqual({ Name: '/app/session', WithDecryption: true });
  expect(asked[0]!.headers['x-amz-target']).toBe('AmazonSSM.GetParameter');
  expect(asked[0]!.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=x\/\d{8}\/sa-east-1\/ssm\/aws4_request/,
  );
});

test('that cannot be read is an internal error, reported without the secret, and read again', async () => {
  settings('/app/other');
  value = null;
  const failure = await callerOfSession(await token()).catch((error: Error) => error);
  expect(String(failure)).toBe('Error: the parameter /app/other could not be read: 400');
  value = SECRET;
  expect((await callerOfSession(await token())).organizationId).toBe(ORGANIZATION);
});

test('that is too short opens nothing', async () => {
  settings('/app/short');
  value = 'short';
  await expect(callerOfSession(await token())).rejects.toThrow('shorter than 32 bytes');
});

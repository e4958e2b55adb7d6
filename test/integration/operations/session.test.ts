/**
 * `npm run session` against a parameter store on loopback: it creates the secret once, and signs sessions that the
 * stage accepts.
 */
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runProgram } from '#test/helpers/operator-program.ts';

const PROGRAM = join(import.meta.dirname, '../../../tools/operations/session.ts');
const PARAMETER = '/data-connections/dev/session-secret';
const ORGANIZATION = '0192d8f4-0000-7000-8000-000000000001';

const held = new Map<string, { Value: string; Type: string }>();
let server: Server;
let isForbidden = false;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { Name, Value, Type, Overwrite } = JSON.parse(text);
    const tell = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    const refuse = (__type: string) => tell(400, { __type, message: `no: ${text}` });
    if (isForbidden) return void refuse('AccessDeniedException');
    if (request.headers['x-amz-target'] === 'AmazonSSM.PutParameter') {
      if (held.has(Name) && Overwrite !== true) return void refuse('ParameterAlreadyExists');
      held.set(Name, { Value, Type });
      return void tell(200, { Version: 1 });
    }
    const found = held.get(Name);
    return void (found ? tell(200, { Parameter: { Name, ...found } }) : refuse('ParameterNotFound'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  held.clear();
  isForbidden = false;
});

const run = (args: string[], more: Record<string, string> = { AWS_REGION: 'us-east-1' }) =>
  runProgram(PROGRAM, args, ['AWS_ENDPOINT_URL_SSM', server], more);

test('makes the secret the first time, keeps it the second, and signs with it for the organization', async () => {
  const first = await run(['--organization', ORGANIZATION]);
  expect(first).toMatchObject({ code: 0, told: `made the secret of sessions: ${PARAMETER}\n` });
  const { Value: secret, Type } = held.get(PARAMETER)!;
  expect(Type).toBe('SecureString');
  expect(Buffer.from(secret, 'base64url').length).toBe(48);
  const second = await run(['--organization', ORGANIZATION]);
  expect(second).toMatchObject({ code: 0, told: '' });
  expect(held.get(PARAMETER)!.Value).toBe(secret);
  for (const { out } of [first, second]) {
    const { payload } = await jwtVerify(out, new TextEncoder().encode(secret), {
      issuer: 'urn:data-connections:dev',
      audience: 'authenticated',
      algorithms: ['HS256'],
    });
    expect(payload.app_metadata).toEqual({ organization_id: ORGANIZATION });
    expect(payload.exp! - payload.iat!).toBeLessThanOrEqual(86_400);
  }
});

test('refuses a stage without sandbox, what is out of form, and an account that does not let it', async () => {
  expect(await run(['--stage', 'prod'])).toMatchObject({ code: 2, told: expect.stringContaining('has no sandbox') });
  expect(await run(['--days', '31'])).toMatchObject({ code: 2, told: expect.stringContaining('usage:') });
  expect(await run([], {})).toMatchObject({ code: 2, told: expect.stringContaining('AWS_REGION is missing') });
  expect(held.size).toBe(0);
  isForbidden = true;
  const refused = await run([]);
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.told).toBe(`the parameter ${PARAMETER} could not be written: 400\n`);
});

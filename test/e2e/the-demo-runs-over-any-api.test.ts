/** `npm run demo -- --api <url>`, over an API of which the demo knows only the address and a session. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';

const DEMO = join(import.meta.dirname, '../../tools/local/demo.ts');
const stage = useSharedStack();

interface Ended {
  code: number;
  text: string;
}

/** Runs as a separate process whose clock follows the stack's. */
const demo = async (args: string[], environment: Record<string, string> = {}): Promise<Ended> => {
  const aheadMs = (await stage.doors.nowMs()) - Date.now();
  const clock = `globalThis[Symbol.for('data-connections.clock')]=()=>Date.now()+${aheadMs}`;
  const program = ['--import', `data:text/javascript,${encodeURIComponent(clock)}`, DEMO, ...args];
  const env = { PATH: process.env.PATH, DATA_DIR: '/nowhere', ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, program, { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
};

/** Each demo makes a key, and leaves it revoked. */
const keysNamedDemo = async (): Promise<{ revoked: number; others: string[] }> => {
  const { data } = await stage.api.must(200, 'GET', '/api-keys', { as: 'session' });
  const states: string[] = data
    .filter(({ name }: { name: string }) => name === 'Demo')
    .map(({ status }: { status: string }) => status);
  const others = states.filter((status) => status !== 'revoked');
  return { revoked: states.length - others.length, others };
};

test('connects, synchronizes and compares with only a session, and leaves no key behind', async () => {
  const { api, session, api_key } = stage.api.file;
  const before = await keysNamedDemo();
  const { code, text } = await demo(['--api', `${api}/`], { DEMO_SESSION: session });
  expect(text).toContain("every count and sum equals the institution's own");
  expect(text).toMatch(/\nmirror +(\d+) changes by \d+ requests to the feed: every row of the list\n/);
  expect(text.trim()).toMatch(/\nfeed +nothing changed since: 1 request to the feed$/);
  expect(code).toBe(0);
  expect(text).not.toContain('≠');
  for (const secret of [session, api_key, 'svc_sk_']) expect(text).not.toContain(secret);
  expect(await keysNamedDemo()).toEqual({ revoked: before.revoked + 1, others: [] });
});

test('makes links as a person and uses them as customers', async () => {
  const { api, session } = stage.api.file;
  const { code, text } = await demo(['--api', api, '--link'], { DEMO_SESSION: session });
  expect(text).toMatch(/\ncustomer +reads that "Demo" asks, types the password, and reads: accepted\n/);
  expect(text).toMatch(/\nfirst row +by key, [\d.]+ s after the link was made; the link is used\n/);
  expect(text.match(/: accepted, 1 connection with this reference/g)).toHaveLength(3);
  expect(code).toBe(0);
  for (const secret of [session, 'svc_cl_', 'clave-de-prueba']) expect(text).not.toContain(secret);
  expect((await keysNamedDemo()).others).toEqual([]);
});

test('says that it has no session, or one that the API does not know, and prints no session', async () => {
  const { api, session } = stage.api.file;
  expect(await demo(['--api', api])).toMatchObject({
    code: 2,
    text: expect.stringContaining('DEMO_SESSION is missing'),
  });
  const refused = await demo(['--api', api], { DEMO_SESSION: `${session}x` });
  expect(refused.code).toBe(1);
  expect(refused.text).toContain('the API does not know this session');
  expect(refused.text).not.toContain(session);
});

/**
 * The function that plays all institutions of a stage, in two instances over a real table, which take turns: each
 * continues what the other began. Every source is synchronized completely, equal to the institution's ledger.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS as BANKTWO } from '#shared/sources/banktwo/sandbox/credentials.ts';
import { sampled } from '#test/helpers/effort.ts';
import { type SandboxFunction, startSandboxFunction } from '#test/helpers/sandbox-instances.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { endAll, expectWhole, refused, STAGE_TIMEOUT_MS } from './stage.ts';

/**
 * In addition to the first row of each table: behaviours for which the institution must remember more than a session.
 */
const REMEMBERED = ['two_factor_approved', 'session_expires', 'cursor_expires', 'rows_arrive'];

const folders = await loadSources();
let world: SourceWorld;
let sandbox: SandboxFunction;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'real' });
  sandbox = await startSandboxFunction(2);
});
afterAll(() => world.stop());

describe.each(sampled(folders, 2).map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const all = folder.credentials.filter(
    // With a low limit, the tax authority writes files that are fetched later.
    (entry, at) => at === 0 || (!refused(entry) && (REMEMBERED.includes(entry.behaviour) || 'directLimit' in entry)),
  );
  test.each(sampled(all, 5).map((entry) => [entry.label, entry] as const))(
    '%s: one login, served in turns, is the ledger',
    async (_label, entry) => {
      const before = [...sandbox.answered];
      const ended = (await endAll(world, sandbox.of(folder), [entry])).get(entry)!;
      await ended.story.close();
      // Rows that arrived too late for one sync come with the next: works.test.ts checks that.
      if (entry.behaviour === 'rows_arrive') expect(ended.run.status).toBe('succeeded');
      else expectWhole(ended);
      for (const [n, count] of sandbox.answered.entries())
        expect(count - before[n]!, `instance ${n}`).toBeGreaterThan(2);
    },
    STAGE_TIMEOUT_MS,
  );
});

describe('between instances', () => {
  const { credentials } = BANKTWO[0]!;
  const authorization = `Basic ${Buffer.from(`${credentials.client_id}:${credentials.client_secret}`).toString('base64')}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'grant_type=client_credentials&scope=accounts.read';
  const logIn = (instance: number, headers: object = { ...form, authorization }) =>
    sandbox.ask(instance, { method: 'POST', url: '/banktwo/oauth2/token', headers, body });
  const accounts = (instance: number, token: string) =>
    sandbox.ask(instance, {
      url: '/banktwo/v1/current-accounts',
      headers: {
        authorization: `Bearer ${token}`,
        'x-client-id': credentials.client_id,
        'x-client-code': credentials.company_rut.replace('-', '').padStart(11, '0'),
        'x-request-id': '0192d8f4-0000-7000-8000-000000000001',
      },
    });

  test('a token of one is valid at the other, and an unknown one at neither', async () => {
    const { access_token: token } = JSON.parse((await logIn(0)).text);
    for (const instance of [1, 0, 1]) expect((await accounts(instance, token)).statusCode).toBe(200);
    expect((await accounts(1, `${token}x`)).statusCode).toBe(401);
  });

  test('who asks at the same time loses nothing: every login is counted', async () => {
    const { read } = await import('#functions/sandbox/memory.store.ts');
    const logins = async (): Promise<number> => {
      const { text } = await read('banktwo', credentials.client_id);
      return text === '' ? 0 : (JSON.parse(text).logins?.[0]?.[1] ?? 0);
    };
    const before = await logins();
    const answers = await Promise.all([0, 1, 0, 1, 0, 1].map((instance) => logIn(instance)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    const tokens = answers.map(({ text }) => JSON.parse(text).access_token as string);
    expect((await logins()) - before).toBe(answers.length);
    for (const token of tokens) expect((await accounts(1, token)).statusCode).toBe(200);
  });

  test('refusals are answered, and leave nothing behind for whom the institution does not know', async () => {
    const stranger = `Basic ${Buffer.from('nobody:nothing').toString('base64')}`;
    expect((await logIn(0, { ...form, authorization: stranger })).statusCode).toBe(401);
    const { read } = await import('#functions/sandbox/memory.store.ts');
    expect(await read('banktwo', 'nobody')).toEqual({ text: '', version: null });
  });

  test('the doors of the sandbox itself are shut, and no other path leads anywhere', async () => {
    for (const { code, credentials: known } of folders) {
      const login = encodeURIComponent(String(Object.values(known[0]!.credentials)[0]));
      for (const door of [`ledger?login=${login}`, `logins?login=${login}`])
        expect((await sandbox.ask(0, { url: `/${code}/_sandbox/${door}` })).statusCode, code).toBe(404);
      const knobs = { method: 'POST', url: `/${code}/_sandbox/knobs`, headers: { 'content-type': 'application/json' } };
      expect((await sandbox.ask(0, { ...knobs, body: '{"latencyMs":1}' })).statusCode, code).toBe(404);
    }
    for (const url of ['/', '/nobank/login', '/constructor/login', '/__proto__/'])
      expect((await sandbox.ask(0, { url })).statusCode, url).toBe(404);
  });
});

/**
 * The local stack on the emulator's table, which also runs where dynoxide does not: the stories of e2e that ask most of a
 * table, the demo with every source, and the stored data after a restart. Skipped if the emulator is not available.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild, temporaryFolder } from '#test/helpers/e2e-child.ts';
import { outsideEnvironment } from '#test/helpers/outside-environment.ts';
import { installed } from '#tools/python/venv.ts';

const ROOT = join(import.meta.dirname, '../..');
const TIMEOUT_MS = 900_000;
const TOLD_CHARS = 20_000;
/** Transactions, conditions, leases that end, deletions in batches, and pages of every list. All of e2e takes minutes. */
const STORIES = [
  'a-deleted-connection-leaves-nothing-behind',
  'a-killed-stack-goes-on-where-it-stopped',
  'a-webhook-is-tried-four-times-and-can-be-sent-again',
  'messages-that-come-twice-change-nothing',
];

const { reason } = await installed('.venv-emulator', join(ROOT, 'tools/verify/requirements.txt'));

const play = async (args: string[], more: Record<string, string> = {}): Promise<{ code: number; told: string }> => {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...outsideEnvironment(), LOCAL_TABLE: 'emulator', PORT: '0', ...more },
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      told += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, told };
};

test.skipIf(reason !== undefined)('every source of the demo ties out', { timeout: TIMEOUT_MS }, async () => {
  const demo = ['-r', './infra/require-node.cjs', 'tools/local/demo.ts', '--all'];
  const { code, told } = await play(demo, { DATA_DIR: temporaryFolder() });
  expect(code, told.slice(-TOLD_CHARS)).toBe(0);
  expect(told).toContain("equals the institution's own");
});

test.skipIf(reason !== undefined)('the stories of e2e pass', { timeout: TIMEOUT_MS }, async () => {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', '--reporter=dot'];
  const { code, told } = await play([...vitest, ...STORIES]);
  expect(code, told.slice(-TOLD_CHARS)).toBe(0);
});

test.skipIf(reason !== undefined)('what is stored survives a restart', { timeout: TIMEOUT_MS }, async () => {
  const dataFolder = temporaryFolder();
  const environment = { LOCAL_TABLE: 'emulator' };
  const first = await startChild(dataFolder, environment);
  const id = await first.api.connect({ rut: '70000002-8', password: 'clave-de-prueba' });
  await first.end();
  const second = await startChild(dataFolder, environment);
  try {
    expect((await second.api.get('/connections')).map((each: { id: string }) => each.id)).toEqual([id]);
  } finally {
    await second.end();
  }
});

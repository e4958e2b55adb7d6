/** What a developer does to a stack from outside: requests tokens, signals its process, starts again. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tellAhead } from '#tools/local/clock.ts';
import { findRunner, holdDataFolder } from '#tools/local/data-folder.ts';
import { readCommandLine } from '#tools/local/processes.ts';
import { readStackFile } from '#tools/local/stack-file.ts';
import { temporaryFolder } from './tiny-stack.ts';

const ROOT = join(import.meta.dirname, '../..');
const RESET = join(ROOT, 'tools/local/reset.ts');
const TOKEN = join(ROOT, 'tools/local/token.ts');
const START_TIMEOUT_MS = 80_000;

const play = (script: string, dataFolder: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [script, ...args], { env: { ...process.env, DATA_DIR: dataFolder } });

test('a reset removes all but what is built', async () => {
  const folder = temporaryFolder();
  for (const name of ['cdk.out', 'dynamodb', 's3']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'clock.json'), '{}');
  expect((await play(RESET, folder)).stdout).toContain('removed 3 files and folders');
  expect(readdirSync(folder)).toEqual(['cdk.out']);
  expect((await play(RESET, folder)).stdout).toContain('nothing is stored');
});

test('a folder that no stack filled is not changed', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'thesis.txt'), 'ten years');
  const refused = await play(RESET, folder).catch((error) => error);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('nothing was removed')]);
  expect(readdirSync(folder)).toEqual(['thesis.txt']);
});

test('a reset during a running stack is refused, and removes nothing', async () => {
  const folder = temporaryFolder();
  const letGo = holdDataFolder(folder);
  try {
    const refused = await play(RESET, folder).catch((error) => error);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`process ${process.pid}`)]);
    expect(findRunner(folder)).toBe(process.pid);
  } finally {
    letGo();
  }
  expect(findRunner(folder)).toBeUndefined();
});

test.each([
  [0, undefined],
  [300_000, undefined],
  [300_001, 'the clock is 0.1 h ahead'],
  [7_200_000, 'the clock is 2.0 h ahead'],
])('a clock %i ms ahead: %s', (ms, words) => {
  if (words === undefined) expect(tellAhead(ms)).toBeUndefined();
  else expect(tellAhead(ms)).toContain(words);
});

/** Starts as a shell does: npm, with the stack as its child. */
const startByNpm = async (dataFolder: string) => {
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    stdio: 'ignore',
    env: { ...process.env, DATA_DIR: dataFolder, PORT: '0' },
  });
  const ended = once(npm, 'exit');
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const file = readStackFile(dataFolder);
    if (file) return { npm, ended, file };
    if (performance.now() > deadline || npm.exitCode !== null) throw new Error('npm start did not start');
    await sleep(100);
  }
};

/** Running processes with the folder in their command line, such as the table's. */
const namedBy = (folder: string): string[] =>
  globSync('/proc/[0-9]*')
    .flatMap((path) => readCommandLine(Number(path.split('/').at(-1))) ?? [])
    .filter((command) => command.includes(folder));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each([
  ['SIGTERM', 'the pid of stack.json'],
  ['SIGTERM', 'the pid of npm'],
  // A closed terminal sends it to both.
  ['SIGHUP', 'the pid of stack.json'],
] as const)('%s to %s ends the stack, and leaves no process', async (signal, to) => {
  const folder = temporaryFolder();
  const { npm, ended, file } = await startByNpm(folder);
  const clock = `${new URL(file.api).origin}/_local/clock`;
  await fetch(clock, { method: 'POST', body: JSON.stringify({ advance_ms: 90 * 86_400_000 }) });
  // Of 30 days by the machine's clock it would be over already.
  const { stdout: key } = await play(TOKEN, folder, 'api-key');
  const answer = await fetch(`${file.api}/connections`, { headers: { authorization: `Bearer ${key.trim()}` } });
  expect(answer.status).toBe(200);
  process.kill(to === 'the pid of npm' ? npm.pid! : file.pid!, signal);
  await ended;
  await expect.poll(() => isAlive(file.pid!)).toBe(false);
  expect(existsSync(join(folder, 'stack.json'))).toBe(false);
  expect(namedBy(folder)).toEqual([]);
  expect(findRunner(folder)).toBeUndefined();
});

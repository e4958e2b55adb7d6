/** A stack without its table is useless: it says so in one line, ends with a failure, and leaves no process behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { START, startEnvironment, temporaryFolder } from '#test/helpers/e2e-child.ts';
import { until } from '#test/helpers/e2e-integrator.ts';
import { readCommandLine } from '#tools/local/processes.ts';
import { readStackFile } from '#tools/local/stack-file.ts';

const Table = z.object({ pid: z.number().int() });

let child: ChildProcess | undefined;
let dataFolder: string;
afterEach(() => {
  child?.kill('SIGKILL');
  for (const pid of orphans(dataFolder)) process.kill(pid, 'SIGKILL');
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Running processes with the folder in their command line. */
const orphans = (folder: string): number[] =>
  globSync('/proc/[0-9]*')
    .map((path) => Number(path.split('/').at(-1)))
    .filter((pid) => readCommandLine(pid)?.includes(folder));

test('the table process dies', async () => {
  dataFolder = temporaryFolder();
  child = spawn(process.execPath, [START], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: startEnvironment(dataFolder),
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += String(chunk);
  });
  const exited = once(child, 'close');
  await until('the stack', async () => {
    if (child?.exitCode != null) throw new Error(`the stack ended with ${child.exitCode}: ${errors}`);
    return readStackFile(dataFolder);
  });
  const [pidFile = ''] = globSync(join(dataFolder, 'dynamodb/*.json'));
  const { pid } = Table.parse(JSON.parse(readFileSync(pidFile, 'utf8')));
  process.kill(pid, 'SIGKILL');
  const [status] = await exited;
  expect(status).toBe(1);
  expect(errors).toMatch(/^the table process ended \(SIGKILL\); see \S+(?:dynoxide|ministack)\.log: the stack ends\n$/);
  expect(existsSync(join(dataFolder, 'stack.json'))).toBe(false);
  expect(orphans(dataFolder)).toEqual([]);
});

/** Provides a local stack to a script: the stack that already runs, or a new stack that the script starts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRunner } from '#tools/local/data-folder.ts';
import { readStackFile, type StackFile } from '#tools/local/stack-file.ts';

const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 200;
const ANSWER_TIMEOUT_MS = 10_000;

const isUp = async (stack: StackFile | undefined): Promise<boolean> => {
  if (!stack) return false;
  try {
    return (await fetch(`${stack.api}/external-sources`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
};

/** Resolves with the stack that runs on the folder, even if it answers slowly; undefined when no stack runs. */
const findRunning = async (dataFolder: string): Promise<StackFile | undefined> => {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (findRunner(dataFolder) !== undefined) {
    const stack = readStackFile(dataFolder);
    if (stack && (await isUp(stack))) return stack;
    if (performance.now() > deadline) throw new Error('a local stack runs and does not answer');
    await sleep(POLL_MS);
  }
  return undefined;
};

export const withStack = async <T>(dataFolder: string, work: (stack: StackFile) => Promise<T>): Promise<T> => {
  const running = await findRunning(dataFolder);
  if (running) return work(running);

  console.log('no local stack runs: starting one');
  const child = spawn(process.execPath, [join(import.meta.dirname, '../start.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // The stack gets the same environment as with `npm start`.
    env: { ...process.env, MALLOC_ARENA_MAX: '1', DATA_DIR: dataFolder, PORT: process.env.PORT ?? '0' },
  });
  const ended = once(child, 'exit');
  try {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    for (;;) {
      const stack = readStackFile(dataFolder);
      if (stack && (await isUp(stack))) return await work(stack);
      if (child.exitCode !== null) throw new Error(`the local stack ended with ${child.exitCode}`);
      if (performance.now() > deadline) throw new Error('the local stack did not become ready');
      await sleep(POLL_MS);
    }
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

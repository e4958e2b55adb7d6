/**
 * `MALLOC_ARENA_MAX=1 node test/bench/warm-memory.ts`, as `npm start` sets it: resident memory of the local stack's process with every function warm. Each function
 * is called once with its first payload of `events/`, one after the other, over the real table and queues.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleFunctions, synthesizeLocalStage } from '#infra/local/build.ts';
import { findSandboxes } from '#infra/local/sandboxes.ts';
import { seed } from '#infra/local/seed.ts';
import { startStack } from '#infra/local/stack.ts';

const ROOT = join(import.meta.dirname, '../..');
const MIB_MAX = 1_500;
/** An environment gives back what it does not use when it is idle. */
const IDLE_MS = 5_000;

const mib = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20);

process.env.TZ = 'UTC';
const dataFolder = mkdtempSync(join(tmpdir(), 'warm-memory-'));
await bundleFunctions();
const sandboxes = findSandboxes(join(ROOT, 'shared/sources'), process.env);
const stack = await startStack({ assemblyFolder: synthesizeLocalStage(), dataFolder, port: 0, sandboxes });
try {
  await seed(stack);
  const startMib = mib();
  let highestMib = startMib;
  for (const { id, name } of stack.model.functions) {
    const [file] = globSync(`${id}.*.json`, { cwd: join(ROOT, 'events') }).sort();
    if (!file) throw new Error(`${id} has no payload in events`);
    await stack.functions.invoke(name, JSON.parse(readFileSync(join(ROOT, 'events', file), 'utf8')), 'api');
    highestMib = Math.max(highestMib, mib());
  }
  await sleep(IDLE_MS);
  const count = stack.model.functions.length;
  console.log(`${count} functions, ${stack.functions.size()} environments: ${mib()} MiB, at most ${highestMib}`);
  console.log(`before the first call ${startMib} MiB`);
  if (stack.functions.size() < count || highestMib > MIB_MAX) process.exitCode = 1;
} finally {
  await stack.close();
  rmSync(dataFolder, { recursive: true, force: true });
}

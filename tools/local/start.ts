/**
 * `npm start`: runs the whole service on this machine. Settings by environment: `PORT` (3000), `DATA_DIR` (.local),
 * `DYNAMODB_ENDPOINT`, `LOCAL_TABLE`, `LOCAL_TABLE_GENERATION`, `SOURCE_<CODE>_BASE_URL` and `SOURCE_<CODE>_PACE`,
 * `SYNC_STARTS_PER_MINUTE`, `LOCAL_AT_LEAST_ONCE` (share of messages delivered twice), `LOCAL_WARM_FUNCTIONS` (every
 * function).
 */
import { join } from 'node:path';
import { bundleFunctions, synthesizeLocalStage } from './build.ts';
import { tellAhead } from './clock.ts';
import { DATA_FOLDER } from './command-line.ts';
import { findSandboxes } from './sandboxes.ts';
import { seed } from './seed.ts';
import { type LocalStack, startStack } from './stack.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEFAULT_PORT = 3000;
/** Longer than the time for the slowest part, a table that writes its data. */
const END_TIMEOUT_MS = 75_000;

// Lambda's time zone; threads inherit it.
process.env.TZ = 'UTC';

const portOf = (text: string | undefined): number => {
  const port = Number(text || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT must be a port number, not "${text}"`);
  return port;
};

const build = async (): Promise<string> => {
  await bundleFunctions();
  return synthesizeLocalStage();
};

const explain = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}: choose another port with PORT`;
  return message;
};

let stack: LocalStack | undefined;
let ending = false;

const end = async (status: number): Promise<void> => {
  if (ending) return;
  ending = true;
  // Ends the process even if a part hangs.
  setTimeout(() => process.exit(status || 1), END_TIMEOUT_MS).unref();
  await stack?.close();
  process.exit(status);
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));

try {
  const startedMs = performance.now();
  stack = await startStack({
    assemblyFolder: build(),
    dataFolder: DATA_FOLDER,
    port: portOf(process.env.PORT),
    sandboxes: findSandboxes(join(ROOT, 'shared/sources'), process.env),
    environment: process.env,
    onLost: (reason) => {
      if (ending) return;
      console.error(`${reason}: the stack ends`);
      void end(1);
    },
  });
  await seed(stack);
  const ahead = tellAhead(stack.clock.offsetMs());
  if (ahead !== undefined) console.log(`note: ${ahead}`);
  console.log(`ready in ${((performance.now() - startedMs) / 1000).toFixed(1)} s; Ctrl-C ends it`);
} catch (error) {
  // Errors while the stack ends are not reported.
  if (!ending) console.error(explain(error));
  await end(1);
}

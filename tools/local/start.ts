/**
 * `npm start`: runs the whole service on this machine. Environment variables with their defaults: `PORT` (3000),
 * `DATA_DIR` (.local), `DYNAMODB_ENDPOINT`, `LOCAL_TABLE`, `LOCAL_TABLE_GENERATION`, `SOURCE_<CODE>_BASE_URL` and
 * `SOURCE_<CODE>_PACE`, `SYNC_STARTS_PER_MINUTE`, `READS_PER_MINUTE`, `LOCAL_AT_LEAST_ONCE` (share of messages that are delivered twice),
 * `LOCAL_WARM_FUNCTIONS` (every function stays warm).
 */
import { join } from 'node:path';
import { synthesizeLocalStage } from './build.ts';
import { startBundler } from './bundler.ts';
import { tellAhead } from './clock.ts';
import { DATA_FOLDER } from './command-line.ts';
import { findSandboxes } from './sandboxes.ts';
import { seed } from './seed.ts';
import { type LocalStack, startStack } from './stack.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEFAULT_PORT = 3000;
/** Longest time to close the stack. The slowest part is a table that writes its data, and it needs less time. */
const END_TIMEOUT_MS = 75_000;

// Functions on Lambda run in the time zone UTC. Threads take the time zone from this process.
process.env.TZ = 'UTC';

const portOf = (text: string | undefined): number => {
  const port = Number(text || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT must be a port number, not "${text}"`);
  return port;
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
  // Ends the process even if a part of the stack does not close.
  setTimeout(() => process.exit(status || 1), END_TIMEOUT_MS).unref();
  await stack?.close();
  process.exit(status);
};

// A closed terminal sends SIGHUP, and writes to the terminal then fail; these failures are ignored.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

/** Prints a line such as `2.4 s  text`, with the time since this process started. */
const step = (text: string): void => console.log(`${(performance.now() / 1000).toFixed(1)} s  ${text}`);

const onLost = (reason: string): void => {
  if (ending) return;
  console.error(`${reason}: the stack ends`);
  void end(1);
};

/** Id of the function that is bundled first, because waiting scripts and the first printed command call it. */
const FIRST_CALL = 'list-external-sources';

try {
  // The bundler's process starts now, so that it loads while the templates are synthesized.
  const bundler = startBundler(onLost);
  void bundler.function(FIRST_CALL).catch(() => {});
  stack = await startStack({
    assemblyFolder: synthesizeLocalStage(() => step('synthesizing the templates, because they changed')),
    bundler,
    onStep: step,
    dataFolder: DATA_FOLDER,
    port: portOf(process.env.PORT),
    sandboxes: findSandboxes(join(ROOT, 'shared/sources'), process.env),
    environment: process.env,
    onLost,
  });
  await seed(stack);
  const ahead = tellAhead(stack.clock.offsetMs());
  if (ahead !== undefined) console.log(`note: ${ahead}`);
  step('ready; Ctrl-C ends it');
  const missing = await bundler.missing;
  if (missing > 0)
    step(`bundling ${missing} functions and the dashboard in the background; a first call waits for its code`);
  await bundler.rest();
  if (missing > 0 && !ending) step('bundled');
} catch (error) {
  // Errors that happen after the stack began to end are not reported.
  if (!ending) console.error(explain(error));
  await end(1);
}

/**
 * The table: dynoxide as a child process over an SQLite file, so that it survives the runner's death. A left-over one
 * of ours (the runner was killed) is ended at the next start, after checking by its command line that it is ours:
 * two on one file would not see each other's writes.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { freePort } from './loopback-server.ts';
import { commandLineOf, endProcess, type OnLost } from './processes.ts';

const START_TIMEOUT_MS = 10_000;
const START_TRIES_MAX = 3;
const POLL_MS = 20;

const PidFile = z.object({ pid: z.number().int(), database: z.string() });

const HOW_TO_GET_ONE =
  'No DynamoDB to run on: the optional package @dynoxide/linux-x64 is not installed (it exists for Linux x64 alone) and ' +
  'there is no `dynoxide` on the PATH. Either install dynoxide (github.com/nubo-db/dynoxide), or start any DynamoDB ' +
  '(DynamoDB Local, for instance) and set DYNAMODB_ENDPOINT=http://127.0.0.1:<port>.';

interface Dynamo {
  endpoint: string;
  /** Of the child process; undefined when `DYNAMODB_ENDPOINT` names another. */
  pid: number | undefined;
  close(): Promise<void>;
}

const executable = (): string => {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    // Another platform: whatever the PATH has.
  }
  if (spawnSync('dynoxide', ['--version']).status === 0) return 'dynoxide';
  throw new Error(HOW_TO_GET_ONE);
};

const isOurs = (pid: number, database: string): boolean => {
  const command = commandLineOf(pid);
  return command?.includes('dynoxide') === true && command.includes(database);
};

const endLeftOver = async (pidFile: string, database: string): Promise<void> => {
  let kept: z.infer<typeof PidFile>;
  try {
    kept = PidFile.parse(JSON.parse(readFileSync(pidFile, 'utf8')));
  } catch {
    return; // None was kept, or the runner died while writing: then no process was started either.
  }
  await endProcess(kept.pid, () => isOurs(kept.pid, database));
  rmSync(pidFile, { force: true });
};

const isUp = async (endpoint: string): Promise<boolean> => {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(1_000) });
    return true; // Any answer will do: it listens.
  } catch {
    return false;
  }
};

const exited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/**
 * Throws when nothing can be started, with the reason from the child's log.
 * @param onLost told once, when the child ends although nobody closed it
 */
export const startDynamo = async (
  dataFolder: string,
  endpoint: string | undefined,
  onLost: OnLost = console.error,
): Promise<Dynamo> => {
  if (endpoint) return { endpoint, pid: undefined, close: async () => {} };
  const program = executable();
  const folder = resolve(dataFolder, 'dynamodb');
  mkdirSync(folder, { recursive: true });
  const database = join(folder, 'table.sqlite');
  const pidFile = join(folder, 'dynoxide.json');
  await endLeftOver(pidFile, database);

  for (let tries = 1; tries <= START_TRIES_MAX; tries += 1) {
    const port = await freePort();
    const log = openSync(join(folder, 'dynoxide.log'), 'w');
    const child = spawn(program, ['serve', '--host', '127.0.0.1', '--port', String(port), '--db-path', database], {
      stdio: ['ignore', log, log],
    });
    await new Promise<void>((started, failed) => {
      child.once('spawn', started);
      child.once('error', failed);
    });
    const pid = child.pid as number;
    writeFileSync(pidFile, JSON.stringify({ pid, database }));
    const url = `http://127.0.0.1:${port}`;
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!exited(child) && Date.now() < deadline) {
      if ((await isUp(url)) && !exited(child)) {
        let isClosing = false;
        child.once('exit', (code, signal) => {
          if (!isClosing) onLost(`the table process ended (${signal ?? code}); see ${join(folder, 'dynoxide.log')}`);
        });
        const close = async () => {
          isClosing = true;
          await endProcess(pid, () => !exited(child) && isOurs(pid, database));
          rmSync(pidFile, { force: true });
        };
        return { endpoint: url, pid, close };
      }
      await sleep(POLL_MS);
    }
    await endProcess(pid, () => !exited(child) && isOurs(pid, database));
  }
  throw new Error(`dynoxide does not start; see ${join(folder, 'dynoxide.log')}`);
};

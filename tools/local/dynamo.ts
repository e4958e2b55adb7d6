/**
 * Starts the table: an engine in a child process with a data file. If the runner is killed, its engine continues to
 * run. The next start ends that engine, after a check of its command line, because two engines on one file would not
 * see each other's writes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { freePort } from './loopback-server.ts';
import { endProcess, type OnLost, readCommandLine } from './processes.ts';
import { chooseTableEngine } from './table-engine.ts';

/** Time in ms that an engine of an earlier start gets to write its data and end. */
const LEFT_OVER_TIMEOUT_MS = 60_000;
const START_TRIES_MAX = 3;
const POLL_MS = 20;

const PidFile = z.object({ pid: z.number().int(), database: z.string() });

export interface TableChoice {
  /** Address of a table server that is used instead of our own engine. */
  endpoint?: string | undefined;
  /** Value of `LOCAL_TABLE`, which selects the engine. */
  engine?: string | undefined;
}

interface Dynamo {
  endpoint: string;
  /** Pid of the child process; undefined when `DYNAMODB_ENDPOINT` names another server. */
  pid: number | undefined;
  close(): Promise<void>;
}

const isOurs = (pid: number, database: string): boolean => {
  const command = readCommandLine(pid);
  return command !== undefined && /dynoxide|ministack/.test(command) && command.includes(database);
};

const endLeftOver = async (pidFile: string, database: string): Promise<void> => {
  let kept: z.infer<typeof PidFile>;
  try {
    kept = PidFile.parse(JSON.parse(readFileSync(pidFile, 'utf8')));
  } catch {
    return; // Without a complete file, the earlier runner started no process.
  }
  await endProcess(kept.pid, () => isOurs(kept.pid, database), LEFT_OVER_TIMEOUT_MS);
  rmSync(pidFile, { force: true });
};

const isUp = async (endpoint: string): Promise<boolean> => {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(1_000) });
    return true; // Any response shows that the engine listens.
  } catch {
    return false;
  }
};

const exited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/**
 * Starts the table. If no engine can be started, throws an error with the reason from the child's log.
 * @param onLost called once if the child ends before `close` is called
 */
export const startDynamo = async (
  dataFolder: string,
  { endpoint, engine: choice }: TableChoice = {},
  onLost: OnLost = console.error,
): Promise<Dynamo> => {
  if (endpoint) return { endpoint, pid: undefined, close: async () => {} };
  const engine = await chooseTableEngine(choice);
  const folder = resolve(dataFolder, 'dynamodb');
  mkdirSync(folder, { recursive: true });
  const database = join(folder, engine.name === 'dynoxide' ? 'table.sqlite' : 'table.emulator');
  const pidFile = join(folder, `${engine.name}.json`);
  const logFile = join(folder, `${engine.name}.log`);
  await endLeftOver(pidFile, database);

  for (let tries = 1; tries <= START_TRIES_MAX; tries += 1) {
    const port = await freePort();
    const log = openSync(logFile, 'w');
    const child = spawn(engine.program, engine.args(port, database), {
      stdio: ['ignore', log, log],
      env: { ...process.env, ...engine.environment(port, database) },
    });
    await new Promise<void>((started, failed) => {
      child.once('spawn', started);
      child.once('error', failed);
    });
    const pid = child.pid as number;
    writeFileSync(pidFile, JSON.stringify({ pid, database }));
    const url = `http://127.0.0.1:${port}`;
    const deadline = Date.now() + engine.startTimeoutMs;
    while (!exited(child) && Date.now() < deadline) {
      if ((await isUp(url)) && !exited(child)) {
        let isClosing = false;
        child.once('exit', (code, signal) => {
          if (!isClosing) onLost(`the table process ended (${signal ?? code}); see ${logFile}`);
        });
        const close = async () => {
          isClosing = true;
          await endProcess(pid, () => !exited(child) && isOurs(pid, database), engine.endTimeoutMs);
          rmSync(pidFile, { force: true });
        };
        return { endpoint: url, pid, close };
      }
      await sleep(POLL_MS);
    }
    await endProcess(pid, () => !exited(child) && isOurs(pid, database));
  }
  throw new Error(`${engine.name} does not start; see ${logFile}`);
};

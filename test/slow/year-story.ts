/**
 * A year of every source on a local stack, step by step: time moves, all connections synchronize, mirrors poll
 * meanwhile, and now and then the whole stack or a mirror is killed. The seed decides what happens, but not the exact
 * times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { type ChildStack, startChild } from '#test/helpers/e2e-child.ts';
import type { Run } from '#test/helpers/e2e-integrator.ts';
import type { Mirror } from '#test/helpers/mirrors.ts';
import type { Random } from '#test/helpers/random.ts';
import type { TenderMirror } from '#test/helpers/tender-mirrors.ts';
import { connect } from '#tools/local/demo/steps.ts';
import type { StackFile } from '#tools/local/stack-file.ts';

/** A lease, its margin, and the minute of the sweeper. */
const LEASES_MS = 180_000;
const STEP_TIMEOUT_MS = 600_000;
const LOOK_MS = 50;
/** A login of bank one: closed statements remove provisional movements. */
const TAKES_AWAY = { rut: '11000043-K', password: 'clave-de-prueba' };

export interface Connected {
  source: string;
  connectionId: string;
  /** Whether any of its scopes has periods. */
  hasMonths: boolean;
}

export interface Year {
  dataFolder: string;
  stack: ChildStack;
  /** False from the moment before the stack is killed until it runs again. */
  isUp: boolean;
  connections: Connected[];
  /** Fast mirrors, which poll all the time. */
  mirrors: readonly Mirror[];
  tenderMirrors: readonly TenderMirror[];
  random: Random;
  /** Number of open runs after each kill of the stack. */
  kills: number[];
  /** Polls that were killed. */
  killedPolls: number;
  polls: number;
  runs: Run[];
}

const isByMonth = (source: string): boolean => SCOPES.some((scope) => scope.source === source && scope.periodic);

export const connectAll = async (file: StackFile): Promise<Connected[]> => {
  const { bankone, ...others } = file.sandbox;
  const sandbox = { ...others, bankone: { ...bankone!, credentials: TAKES_AWAY } };
  return Promise.all(
    Object.keys(sandbox).map(async (source) => ({
      source,
      connectionId: await connect({ ...file, sandbox }, source),
      hasMonths: isByMonth(source),
    })),
  );
};

/** A poll, which may be killed, or find no service because the stack was killed. */
const pollOne = async (
  year: Year,
  poll: (file: StackFile, killAfterMs?: number) => Promise<number | null>,
): Promise<void> => {
  const { random, stack } = year;
  const killAfterMs = random.chance(0.2) ? random.int(0, 400) : undefined;
  const kills = year.kills.length;
  try {
    year.polls++;
    const taken = await poll(stack.file, killAfterMs);
    if (taken === null) year.killedPolls++;
  } catch (error) {
    if (year.isUp && year.kills.length === kills) throw error;
  }
};

/** Sometimes polls the same mirror twice at once. */
const pollAny = async (year: Year): Promise<void> => {
  const { mirrors, tenderMirrors, connections, random } = year;
  const times = random.chance(0.15) ? 2 : 1;
  const mirror = random.pick(mirrors);
  const tenders = random.pick(tenderMirrors);
  const { source } = random.pick(connections);
  const poll: Parameters<typeof pollOne>[1] =
    source === 'procurement' ? (...given) => tenders.poll(...given) : (...given) => mirror.poll(...given);
  await Promise.all(Array.from({ length: times }, () => pollOne(year, poll)));
};

/** Polls one after the other until `isOver`. */
const pollUntil = async (year: Year, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    if (year.isUp) await pollAny(year);
    else await sleep(LOOK_MS);
  }
};

interface Started {
  connectionId: string;
  runId: string;
}

const startAll = async ({ stack: { api, doors }, connections }: Year, isFirst: boolean): Promise<Started[]> => {
  const month = santiagoPeriod(await doors.nowMs());
  const periods = [addMonths(month, -1), month];
  return Promise.all(
    connections.map(async ({ connectionId, hasMonths }) => ({
      connectionId,
      runId: await api.sync(connectionId, hasMonths && !isFirst ? periods : undefined),
    })),
  );
};

const runsOf = ({ stack: { api } }: Year, started: readonly Started[]): Promise<Run[]> =>
  Promise.all(started.map(({ connectionId, runId }) => api.run(connectionId, runId)));

const isOpen = ({ finished_at }: Run): boolean => finished_at === null;

/** Kills the stack with all its work, polls included. */
const killStack = async (year: Year, started: readonly Started[]): Promise<void> => {
  year.isUp = false;
  await year.stack.kill();
  year.stack = await startChild(year.dataFolder);
  year.kills.push((await runsOf(year, started)).filter(isOpen).length);
  year.isUp = true;
  await year.stack.doors.advance(LEASES_MS);
};

/** If polls and workers leave a busy machine no idle moment, the jump is skipped. */
const jumpWhenIdle = async ({ stack: { doors } }: Year): Promise<void> => {
  await doors.jump().catch((error: Error) => {
    if (!error.message.includes('still busy')) throw error;
  });
};

const endOfAll = async (year: Year, started: readonly Started[]): Promise<Run[]> => {
  const deadlineMs = performance.now() + STEP_TIMEOUT_MS;
  for (;;) {
    const runs = await runsOf(year, started);
    if (!runs.some(isOpen)) return runs;
    if (performance.now() > deadlineMs) throw new Error('waited in vain for the end of all runs');
    await jumpWhenIdle(year);
  }
};

/**
 * Synchronizes every connection while mirrors poll: all months the first time, later the last two months.
 *
 * @param killAfterMs when the stack is killed; undefined: never
 */
export const synchronizeAll = async (year: Year, isFirst: boolean, killAfterMs?: number): Promise<void> => {
  const synchronize = async (): Promise<void> => {
    const started = await startAll(year, isFirst);
    if (killAfterMs !== undefined) {
      await sleep(killAfterMs);
      await killStack(year, started);
    }
    year.runs.push(...(await endOfAll(year, started)));
  };
  let isOver = false;
  const over = synchronize().finally(() => {
    isOver = true;
  });
  await Promise.all([over, pollUntil(year, () => isOver)]);
};

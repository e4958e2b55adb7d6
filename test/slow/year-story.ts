/**
 * A year of every source on a local stack, one step after the other: time goes on, all connections synchronize, mirrors
 * poll meanwhile, and now and then the whole stack or a mirror is killed. Chosen by a seed; when things happen is not.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '#infra/local/demo/steps.ts';
import type { StackFile } from '#infra/local/stack-file.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { type ChildStack, startChild } from '#test/helpers/e2e-child.ts';
import type { Run } from '#test/helpers/e2e-integrator.ts';
import type { Mirror } from '#test/helpers/mirrors.ts';
import type { Random } from '#test/helpers/random.ts';

/** A lease, its margin, and the minute of the sweeper. */
const LEASES_MS = 180_000;
const STEP_TIMEOUT_MS = 600_000;
/** So many polls pass before time jumps to what waits for it. */
const POLLS_A_JUMP = 4;
/** Of bank one: closed statements take provisional movements away. */
const TAKES_AWAY = { rut: '11000043-K', password: 'clave-de-prueba' };

export interface Connected {
  source: string;
  connectionId: string;
  /** Does any of its scopes come by month? */
  hasMonths: boolean;
}

export interface Year {
  dataFolder: string;
  stack: ChildStack;
  connections: Connected[];
  /** Quick ones, that poll all the time. */
  mirrors: readonly Mirror[];
  random: Random;
  /** Open runs that each kill of the stack left. */
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

/** A poll of one mirror, which may be killed, or find no service because that was. */
const pollOne = async (year: Year, killedBefore: () => number): Promise<void> => {
  const { mirrors, connections, random, stack } = year;
  const { connectionId } = random.pick(connections);
  const killAfterMs = random.chance(0.2) ? random.int(0, 400) : undefined;
  const before = killedBefore();
  try {
    year.polls++;
    const taken = await random.pick(mirrors).poll(stack.file, connectionId, killAfterMs);
    if (taken === null) year.killedPolls++;
  } catch (error) {
    if (killedBefore() === before) throw error;
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

/** In the middle of a poll, of which nobody knows how far it came. */
const killStack = async (year: Year, started: readonly Started[]): Promise<void> => {
  let isKilled = 0;
  const poll = pollOne(year, () => isKilled);
  await sleep(year.random.int(0, 300));
  isKilled++;
  await year.stack.kill();
  await poll;
  year.stack = await startChild(year.dataFolder);
  year.kills.push((await runsOf(year, started)).filter(isOpen).length);
  await year.stack.doors.advance(LEASES_MS);
};

/**
 * Synchronizes every connection, to its whole depth the first time and from then on the last two months.
 *
 * @param killAfterMs when the stack is killed, unless all runs are over by then
 */
export const synchronizeAll = async (year: Year, isFirst: boolean, killAfterMs?: number): Promise<void> => {
  const started = await startAll(year, isFirst);
  const beganMs = performance.now();
  let killsLeft = killAfterMs === undefined ? 0 : 1;
  for (let n = 1; ; n++) {
    const passedMs = performance.now() - beganMs;
    if (passedMs > STEP_TIMEOUT_MS) throw new Error('waited in vain for the end of all runs');
    if (killsLeft > 0 && passedMs >= killAfterMs!) {
      killsLeft--;
      await killStack(year, started);
    }
    await pollOne(year, () => 0);
    const runs = await runsOf(year, started);
    if (!runs.some(isOpen)) {
      year.runs.push(...runs);
      return;
    }
    if (n % POLLS_A_JUMP === 0) await year.stack.doors.jump();
  }
};

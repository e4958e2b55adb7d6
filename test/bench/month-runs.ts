/** Runs of one scope and month in a separate worker process: see `month-worker.ts`. */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import * as connections from '#shared/connections/connection.store.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { dispatchRun, startRun } from '#shared/sync/start-run.ts';
import * as works from '#shared/sync/task/task.store.ts';
import type { WorkerJob, WorkerState } from './month-worker.ts';

/** Old space as in the function's process: 512 MB minus the other memory. */
const HEAP_MIB = 400;
const BUNDLES = join(import.meta.dirname, '../../dist/functions');

export interface MonthRun {
  status: string;
  errorCode: string | null;
  errorMessage: string | null;
  found: number;
  created: number;
  updated: number;
  invocations: number;
  seconds: number;
  /** CPU time of only the worker, minus its loading. */
  cpuSeconds: number;
  /** Resident memory of the worker after loading, and at its maximum. */
  idleMiB: number;
  peakMiB: number;
}

export interface MonthSubject {
  environmentFile: string;
  organizationId: string;
  connectionId: string;
  source: string;
  scope: string;
  period: string;
}

const startWorker = async ({ environmentFile, source, scope }: MonthSubject) => {
  const bundle = join(BUNDLES, `sync-${source}-${scope}`, 'index.mjs');
  const job: WorkerJob = { environmentFile, bundle, scope: `${source}.${scope}` };
  const child = fork(join(import.meta.dirname, 'month-worker.ts'), [JSON.stringify(job)], {
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    // Its log lines would mix with the figures.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the worker ended with ${code}`);
  });
  ended.catch(() => undefined);
  const told = async (): Promise<WorkerState> => (await Promise.race([once(child, 'message'), ended]))[0];
  return { child, told };
};

/** `process.env` must be the stack's. */
export const runMonth = async (subject: MonthSubject): Promise<MonthRun> => {
  const { organizationId, connectionId, scope, period } = subject;
  const runId = randomUUID();
  const connection = (await connections.find(organizationId, connectionId))!;
  await startRun(connection, { runId, scopes: [scope], inputMetadata: { periods: [period] }, trigger: 'manual' });
  await dispatchRun(organizationId, connectionId, runId);

  const { child, told } = await startWorker(subject);
  const idle = await told();
  let state = idle;
  let invocations = 0;
  const startedMs = performance.now();
  for (;;) {
    const work = await works.find(organizationId, connectionId, runId, scope);
    if (!work || work.state === 'ended') break;
    invocations++;
    child.send({ kind: 'work', organizationId, connectionId, runId, scope, generation: work.generation });
    state = await told();
  }
  const seconds = (performance.now() - startedMs) / 1000;
  child.kill();
  const outcome = (await runs.find(organizationId, connectionId, runId))?.outcomes[scope];
  return {
    status: outcome?.status ?? 'none',
    errorCode: outcome?.errorCode ?? null,
    errorMessage: outcome?.errorMessage ?? null,
    found: outcome?.recordsFound ?? 0,
    created: outcome?.recordsCreated ?? 0,
    updated: outcome?.recordsUpdated ?? 0,
    invocations,
    seconds,
    cpuSeconds: state.cpuSeconds - idle.cpuSeconds,
    idleMiB: idle.peakMiB,
    peakMiB: state.peakMiB,
  };
};

/**
 * Checks what a worker asks its institution for. A stored answer is a checkpoint: a worker that takes the task up later
 * must not ask for it again. A worker must notice a cancel at its next lease renewal, and may log a session out only
 * while it has the slot of that session.
 */
import { gunzipSync } from 'node:zlib';
import { contextFields } from '#shared/platform/log-context.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { unpack } from '#shared/sync/reading/raw-answer.store.ts';
import type { Invocation } from '../machine/invocations.ts';
import { owners, virtual } from '../machine/virtual-process.ts';
import type { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import { TIMEOUT_MS } from './timeouts.ts';

export interface Asked {
  scope: string;
  /** Period, or code of the tender. */
  unit: string | null;
  key: string;
}

export interface AskedWatch {
  violations: string[];
  /** The bucket, which observes stored objects. */
  objects: Map<string, Uint8Array>;
  /** Called before the current worker asks. */
  onAsked(asked: Asked): void;
  /** Called before the current worker logs a session out. */
  onLeft(): void;
}

/** One renewal and its read of the task, after the last stalled call of the worker. */
const NOTICED_MS_MAX = 2 * SYNC_LIMITS.leaseRenewMs;

const answersIn = (object: Uint8Array): Asked[] =>
  unpack(gunzipSync(object)).map(({ answer: { key, request } }) => ({ ...(request as Omit<Asked, 'key'>), key }));

export const watchAsked = (table: SimulatedTable): AskedWatch => {
  const violations: string[] = [];
  /** Answer within its run and reading → when it was stored. */
  const keptMs = new Map<string, number>();
  const now = (): Invocation | undefined => owners.getStore() as Invocation | undefined;
  const itemOf = (isWanted: (item: Item) => boolean): Item | undefined => [...table.items()].find(isWanted);
  const readings = new WeakMap<Invocation, Map<string, unknown>>();
  /** The reading of the current worker, which stays the same when another worker has taken the task over. */
  const readingOf = (task: string): unknown => {
    const reading = () => itemOf(({ sk }) => sk === task)?.reading;
    const worker = now();
    if (worker === undefined) return reading();
    const own = readings.get(worker) ?? new Map<string, unknown>();
    readings.set(worker, own);
    if (!own.has(task)) own.set(task, reading());
    return own.get(task);
  };
  const nameOf = ({ scope, unit, key }: Asked): string => {
    const runId = contextFields().run_id;
    return JSON.stringify([runId, scope, unit, key, readingOf(`WORK#${runId}#${scope}`)]);
  };

  class Bucket extends Map<string, Uint8Array> {
    override set(name: string, object: Uint8Array): this {
      // A late write may belong to an earlier reading.
      const isLate = (now()?.frozenMs ?? 0) > 0 || now()?.isDead === true;
      for (const answer of isLate ? [] : answersIn(object).map(nameOf))
        if (!keptMs.has(answer)) keptMs.set(answer, virtual.nowMs);
      return super.set(name, object);
    }
  }

  return {
    violations,
    objects: new Bucket(),
    onAsked: (asked) => {
      const worker = now();
      // A worker that was frozen may have been superseded, so it may ask for an answer that is stored by now.
      if (worker === undefined || worker.frozenMs > 0) return;
      const beganMs = worker.deadlineMs - TIMEOUT_MS['sync-scope']!;
      const answer = nameOf(asked);
      if ((keptMs.get(answer) ?? Number.POSITIVE_INFINITY) < beganMs)
        violations.push(`asked again for a stored answer: ${answer}`);
      const cancelledAt = itemOf(({ sk }) => sk === `RUN#${contextFields().run_id}`)?.cancelled_at;
      const toldMs = typeof cancelledAt === 'string' ? Date.parse(cancelledAt) : virtual.nowMs;
      const sinceMs = virtual.nowMs - Math.max(toldMs, worker.stalledMs);
      if (sinceMs > NOTICED_MS_MAX) violations.push(`asked ${Math.round(sinceMs / 1000)} s after a cancel: ${answer}`);
    },
    onLeft: () => {
      const runId = contextFields().run_id;
      if (runId === undefined) return;
      const slot = itemOf(({ sk, holder }) => sk.startsWith('SLOT#') && String(holder).startsWith(`${runId}:`));
      if (slot === undefined) violations.push(`a worker of ${runId} logged out a session of another holder's slot`);
    },
  };
};

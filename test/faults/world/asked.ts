/**
 * What a worker may ask its institution for. A kept answer is the checkpoint: whoever takes a task up later asks for none
 * that was kept before. A renewal of the lease tells of a cancel. And a session is left by whoever has its slot.
 */
import { gunzipSync } from 'node:zlib';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { Invocation } from '../machine/invocations.ts';
import { owners, virtual } from '../machine/virtual-process.ts';
import type { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import { TIMEOUT_MS } from './timeouts.ts';

export interface Asked {
  scope: string;
  /** Period or code of the tender. */
  unit: string | null;
  key: string;
}

export interface AskedWatch {
  violations: string[];
  /** The bucket, which hears of what is put into it. */
  objects: Map<string, Uint8Array>;
  /** The worker that runs now is about to ask. */
  onAsked(asked: Asked): void;
  /** The same is about to log a session out. */
  onLeft(): void;
}

/** A renewal and its reading of the task, once no call of the worker is kept waiting. */
const NOTICED_MS_MAX = 2 * SYNC_LIMITS.leaseRenewMs;

const headOf = (object: Uint8Array): { key: string; request: Omit<Asked, 'key'> } => {
  const text = gunzipSync(object);
  return JSON.parse(text.subarray(0, text.indexOf('\n')).toString());
};

export const watchAsked = (table: SimulatedTable): AskedWatch => {
  const violations: string[] = [];
  /** Answer within its run and reading → when it was kept. */
  const keptMs = new Map<string, number>();
  const now = (): Invocation | undefined => owners.getStore() as Invocation | undefined;
  const itemOf = (isWanted: (item: Item) => boolean): Item | undefined => [...table.items()].find(isWanted);
  const nameOf = ({ scope, unit, key }: Asked): string => {
    const runId = now()?.runId;
    const task = itemOf(({ sk }) => sk === `WORK#${runId}#${scope}`);
    return JSON.stringify([runId, scope, unit, key, task?.reading]);
  };

  class Bucket extends Map<string, Uint8Array> {
    override set(name: string, object: Uint8Array): this {
      const { key, request } = headOf(object);
      const answer = nameOf({ ...request, key });
      // What comes late may belong to a reading of before.
      const isLate = (now()?.frozenMs ?? 0) > 0 || now()?.isDead === true;
      if (!isLate && !keptMs.has(answer)) keptMs.set(answer, virtual.nowMs);
      return super.set(name, object);
    }
  }

  return {
    violations,
    objects: new Bucket(),
    onAsked: (asked) => {
      const worker = now();
      // A worker that stood still may have been taken over: it asks for what is kept by now.
      if (worker === undefined || worker.frozenMs > 0) return;
      const beganMs = worker.deadlineMs - TIMEOUT_MS['sync-scope']!;
      const answer = nameOf(asked);
      if ((keptMs.get(answer) ?? Number.POSITIVE_INFINITY) < beganMs)
        violations.push(`asked again for a kept answer: ${answer}`);
      const cancelledAt = itemOf(({ sk }) => sk === `RUN#${worker.runId}`)?.cancelled_at;
      const toldMs = typeof cancelledAt === 'string' ? Date.parse(cancelledAt) : virtual.nowMs;
      const sinceMs = virtual.nowMs - Math.max(toldMs, worker.stalledMs);
      if (sinceMs > NOTICED_MS_MAX) violations.push(`asked ${Math.round(sinceMs / 1000)} s after a cancel: ${answer}`);
    },
    onLeft: () => {
      const runId = now()?.runId;
      if (runId === undefined) return;
      const slot = itemOf(({ sk, holder }) => sk.startsWith('SLOT#') && String(holder).startsWith(`${runId}:`));
      if (slot === undefined) violations.push(`a worker of ${runId} left a session whose slot is another's`);
    },
  };
};

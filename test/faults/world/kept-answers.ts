/** A kept answer is the checkpoint: whoever takes a task up later asks the institution for none that was kept before. */
import { gunzipSync } from 'node:zlib';
import type { Invocation } from '../machine/invocations.ts';
import { owners, virtual } from '../machine/virtual-process.ts';
import type { SimulatedTable } from '../table/simulated-table.ts';
import { TIMEOUT_MS } from './timeouts.ts';

export interface Asked {
  scope: string;
  /** Period or code of the tender. */
  unit: string | null;
  key: string;
}

export interface KeptAnswers {
  violations: string[];
  /** The bucket, which hears of what is put into it. */
  objects: Map<string, Uint8Array>;
  /** The institution is asked by the worker that runs now. */
  onAsked(asked: Asked): void;
}

const headOf = (object: Uint8Array): { key: string; request: Omit<Asked, 'key'> } => {
  const text = gunzipSync(object);
  return JSON.parse(text.subarray(0, text.indexOf('\n')).toString());
};

export const watchKeptAnswers = (table: SimulatedTable): KeptAnswers => {
  const violations: string[] = [];
  /** Answer within its run and reading → when it was kept. */
  const keptMs = new Map<string, number>();
  const now = (): Invocation | undefined => owners.getStore() as Invocation | undefined;
  const nameOf = ({ scope, unit, key }: Asked): string => {
    const runId = now()?.runId;
    const task = [...table.items()].find(({ sk }) => sk === `WORK#${runId}#${scope}`);
    return JSON.stringify([runId, scope, unit, key, task?.reading]);
  };

  class Bucket extends Map<string, Uint8Array> {
    override set(name: string, object: Uint8Array): this {
      const { key, request } = headOf(object);
      const answer = nameOf({ ...request, key });
      if (!keptMs.has(answer)) keptMs.set(answer, virtual.nowMs);
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
    },
  };
};

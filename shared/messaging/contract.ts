/** Contract of a worker function. Infra, the local runner and tests read the contract without loading the handler. */
import type { Need } from '#shared/platform/needs.ts';
import type { QueueName } from '#shared/platform/queue-names.ts';

export interface WorkerContract {
  kind: 'worker';
  id: string;
  /**
   * Source of the function's invocations: a queue by name; `scope-queues`, for a function built once per scope of every
   * source; or a schedule.
   */
  trigger:
    | { queue: QueueName; batchSize: number }
    | { queue: 'scope-queues'; batchSize: number; windowSeconds: number }
    | { schedule: 'rate(1 minute)' };
  timeoutSeconds: number;
  memoryMb: number;
  needs: readonly Need[];
}

export const defineWorker = <const W extends Omit<WorkerContract, 'kind'>>(worker: W): W & { kind: 'worker' } => ({
  kind: 'worker',
  ...worker,
});

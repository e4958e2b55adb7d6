/** Keeps a lease alive while its worker works, and tells the worker to stop when it is lost or time runs out. */

import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { Lease } from '#shared/table/lease.ts';
import { LeaseLost } from '#shared/table/lease.ts';
import { AppError } from '#shared/values/app-error.ts';
import { renew } from './lease.store.ts';
import type { SyncTask } from './task.rules.ts';

/** The invocation is nearly over: checkpoint, hand over, end. */
export class OutOfTime extends AppError {}

/** The login's next turn is a while away: hand over until then. */
export class OutOfTurn extends OutOfTime {
  /** Epoch milliseconds. */
  readonly untilMs: number;
  constructor(untilMs: number) {
    super();
    this.untilMs = untilMs;
  }
}

export interface Heartbeat {
  signal: AbortSignal;
  handOver(untilMs: number): void;
  stop(): void;
}

/** The generation of `task` does not change while the lease is held. */
export const startHeartbeat = (lease: Lease, task: SyncTask, remainingMs: number): Heartbeat => {
  const controller = new AbortController();
  let beating = false;
  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      await renew(lease, task);
    } catch {
      // Whatever kept it from being renewed, it will run out: stop before somebody else begins.
      controller.abort(new LeaseLost());
    } finally {
      beating = false;
    }
  };
  const timer = setInterval(() => void beat(), SYNC_LIMITS.leaseRenewMs);
  const deadline = setTimeout(
    () => controller.abort(new OutOfTime()),
    Math.max(0, remainingMs - SYNC_LIMITS.invocationMarginMs),
  );
  return {
    signal: controller.signal,
    handOver: (untilMs) => controller.abort(new OutOfTurn(untilMs)),
    stop: () => {
      clearInterval(timer);
      clearTimeout(deadline);
    },
  };
};

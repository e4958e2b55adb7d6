/**
 * Renews a lease while its worker works. Aborts the worker when the lease is lost or the time of the invocation runs
 * out.
 */

import { ServiceBusy } from '#shared/platform/patience.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { Lease } from '#shared/table/lease.ts';
import { LeaseLost } from '#shared/table/lease.ts';
import { AppError } from '#shared/values/app-error.ts';
import { renew } from './lease.store.ts';
import type { SyncTask } from './task.rules.ts';

/** The invocation is nearly over: the worker stores a checkpoint, hands over and ends. */
export class OutOfTime extends AppError {}

/** The login's next call is allowed only at `untilMs`, so the task is handed over until then. */
export class OutOfTurn extends OutOfTime {
  /** Epoch milliseconds. */
  readonly untilMs: number;
  constructor(untilMs: number) {
    super();
    this.untilMs = untilMs;
  }
}

/** The reading is too large for a shared invocation, so the task is handed over to one of its own. */
export class NeedsRoom extends OutOfTime {}

export interface Heartbeat {
  signal: AbortSignal;
  /** Renews the lease now. Two renewals side by side would refuse one another. @throws the reason of the signal */
  renewNow(): Promise<void>;
  handOver(untilMs: number): void;
  /** Hands the task over to an invocation for itself. */
  leaveShared(): void;
  stop(): void;
}

/** Starts to renew the lease. The generation of `task` does not change while the lease is held. */
export const startHeartbeat = (lease: Lease, task: SyncTask, remainingMs: number): Heartbeat => {
  const controller = new AbortController();
  let beating = false;
  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      await renew(lease, task);
    } catch (error) {
      // The renewal failed, so the lease will expire. The worker stops before another worker begins.
      controller.abort(error instanceof ServiceBusy ? error : new LeaseLost());
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
    renewNow: async () => {
      await beat();
      controller.signal.throwIfAborted();
    },
    handOver: (untilMs) => controller.abort(new OutOfTurn(untilMs)),
    leaveShared: () => controller.abort(new NeedsRoom()),
    stop: () => {
      clearInterval(timer);
      clearTimeout(deadline);
    },
  };
};

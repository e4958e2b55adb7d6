/**
 * What a sweep met, as metrics. An item is as old as its due entry says or as it itself says, whichever is more: the
 * sweeper's reminders move the entry, so that a queue nobody empties shows in the item alone.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { HEARTBEAT_KIND, OVERDUE_KINDS, type OverdueKind } from '#shared/platform/metric-catalogue.ts';
import { record } from '#shared/platform/metrics.ts';
import type { Due } from '#shared/table/due-keys.ts';

type DueKind = Due['kind'] | undefined;

export interface Overdue {
  /** An item of the due index; `dueMs` since the epoch. */
  met(kind: DueKind, dueMs: number): void;
  /** Since when, by what the item itself says. */
  waits(kind: DueKind, sinceMs: number): void;
  failed(): void;
  /** Kinds with something overdue, and `HEARTBEAT_KIND` always: its silence means that nobody sweeps. */
  tell(): void;
}

const kindOf = (kind: DueKind): OverdueKind =>
  kind === 'run' || kind === 'work' || kind === 'delivery' ? kind : 'other';

export const countOverdue = (): Overdue => {
  const counts = new Map<OverdueKind, number>();
  const oldest = new Map<OverdueKind, number>();
  const waits = (due: DueKind, sinceMs: number): void => {
    if (!Number.isFinite(sinceMs)) return;
    const kind = kindOf(due);
    oldest.set(kind, Math.min(oldest.get(kind) ?? sinceMs, sinceMs));
  };
  let failures = 0;
  return {
    met: (due, dueMs) => {
      counts.set(kindOf(due), (counts.get(kindOf(due)) ?? 0) + 1);
      waits(due, dueMs);
    },
    waits,
    failed: () => {
      failures++;
    },
    tell: () => {
      for (const kind of OVERDUE_KINDS) {
        const age = Math.max(0, nowMs() - (oldest.get(kind) ?? nowMs())) / 1000;
        // A metric is paid for by the hours in which it is written.
        if (age > 0 || kind === HEARTBEAT_KIND) record('OldestDueAge', age, { kind });
        const count = counts.get(kind) ?? 0;
        if (count > 0) record('OverdueItems', count, { kind });
      }
      if (failures > 0) record('SweepFailures', failures, {});
    },
  };
};

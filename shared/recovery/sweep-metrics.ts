/**
 * Metrics of a sweep. The age of an item is the greater of two ages: the age of its due entry and the age of the item
 * itself. The sweeper's reminders move the entry, so only the item shows that a queue is not being processed.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { HEARTBEAT_KIND, OVERDUE_KINDS, type OverdueKind } from '#shared/platform/metric-catalogue.ts';
import { record } from '#shared/platform/metrics.ts';
import type { Due } from '#shared/table/due-keys.ts';

type DueKind = Due['kind'] | undefined;

export interface Overdue {
  /** Counts an item of the due index. `dueMs` is in epoch milliseconds. */
  met(kind: DueKind, dueMs: number): void;
  /** Reports the time since which the item waits, according to the item itself. */
  waits(kind: DueKind, sinceMs: number): void;
  failed(): void;
  /**
   * Writes the metrics of every kind with overdue items, and always the metric of `HEARTBEAT_KIND`: if that metric is
   * missing, no sweep is running.
   */
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
        // AWS charges a metric for each hour in which it is written.
        if (age > 0 || kind === HEARTBEAT_KIND) record('OldestDueAge', age, { kind });
        const count = counts.get(kind) ?? 0;
        if (count > 0) record('OverdueItems', count, { kind });
      }
      if (failures > 0) record('SweepFailures', failures, {});
    },
  };
};

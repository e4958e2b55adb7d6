/** The sweeper finds lost runs in time, pauses items that it cannot handle, and sends no reminder to a slow queue. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { countFailures, parseDueMs } from '#shared/table/due-keys.ts';
import { virtual } from '../machine/virtual-process.ts';
import type { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import type { Check, World } from './world.ts';

const MINUTE_MS = 60_000;
const FUTURE = '#FUTURE#';
/** decisions.md §5. */
const FOUND_MS_MAX = 180_000;
const PAUSE_MINUTES_MAX = 16;

export const isOfNewerVersion = ({ pk }: Item): boolean => pk.includes(FUTURE);

/** Stores due items that this version does not know. */
export const plantStuck = (table: SimulatedTable, count: number): void => {
  for (let n = 0; n < count; n++) {
    const key = { pk: `ORG#${n}${FUTURE}${n}`, sk: 'THING#1' };
    table.send(new PutCommand({ TableName: 'simulated', Item: { ...key, ...dueIn(key, n) } }));
  }
};

/** Least time in which the sweeper may have failed so often: it pauses 1, 2, 4 … 16 minutes. */
const leastMs = (failures: number): number =>
  Array.from({ length: Math.max(0, failures - 1) }, (_, n) => Math.min(2 ** n, PAUSE_MINUTES_MAX) * MINUTE_MS).reduce(
    (sum, ms) => sum + ms - SYNC_LIMITS.sweepMarginMs,
    0,
  );

export const stuckItemsPause: Check = ({ table, beganMs }) =>
  [...table.items()].filter(isOfNewerVersion).flatMap((item) => {
    const entry = { due_sk: String(item.due_sk) };
    const lateMs = virtual.nowMs - parseDueMs(entry);
    const failures = countFailures(entry);
    return [
      ...(lateMs > 2 * MINUTE_MS ? [`${item.pk} is due since ${lateMs} ms`] : []),
      ...(leastMs(failures) > virtual.nowMs - beganMs ? [`${item.pk} was tried ${failures} times`] : []),
    ];
  });

export const lostRunsAreFound: Check = ({ theme, started }, all) =>
  theme?.losesFirstRun
    ? all.flatMap(({ id, createdAt, startedAt }) => {
        const waitedMs = startedAt === null ? Number.POSITIVE_INFINITY : Date.parse(startedAt) - Date.parse(createdAt);
        return id === started[0] && waitedMs > FOUND_MS_MAX ? [`the lost run ${id} waited ${waitedMs} ms`] : [];
      })
    : [];

/**
 * The task of a run's first scope has one message, because the queue is slow and nothing is lost. Other tasks wait until
 * they are woken; a wake that did not arrive may be repeated.
 */
export const slowQueuesGetNoReminders: Check = ({ theme, queues, scopes, machine }: World) => {
  // A worker whose clock is behind sends a message again until the task is due.
  if (!theme?.hasSlowQueues || machine.skewMsMax > 0) return [];
  const isFirst = (body: string): boolean => {
    const { kind, scope, generation } = JSON.parse(body) as Record<string, unknown>;
    return kind === 'work' && scope === scopes[0]!.name && generation === 1;
  };
  const works = queues.sent.filter(isFirst);
  return works.length === new Set(works).size ? [] : [`${works.length - new Set(works).size} reminders in slow queues`];
};

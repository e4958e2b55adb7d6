/**
 * EventBridge Scheduler on the virtual clock, for the template's schedules and for schedules that are created through
 * Scheduler's API. If several firings of a schedule become due in one jump of the clock, or while the stack does not
 * run, only the latest of them happens. The others would have no effect, because the target reads all due work from the
 * table.
 */
import type { VirtualClock } from './clock.ts';
import type { ScheduleModel } from './model.ts';
import { lastFiringMs, nextFiringMs, type ScheduleTiming } from './schedule-expressions.ts';
import type { ScheduleStore, StoredSchedule } from './schedule-store.ts';
import { createSpareWrite } from './spare-writes.ts';

/** Pause between two checks for due schedules; AWS itself fires up to a minute after the due time. */
const TICK_MS = 200;

export interface ScheduleTarget {
  targetArn: string;
  /** Input of the target, in which the keyword for the scheduled time is already replaced. */
  input: string;
}

export interface Scheduler {
  /** Virtual time of the next firing; undefined when there will be none. */
  nextDueMs(): number | undefined;
  /** Number of firings in progress. */
  busy(): number;
  /** Called after a schedule was created, changed or deleted. */
  changed(group: string, name: string): void;
  close(): Promise<void>;
}

interface SchedulerOptions {
  clock: VirtualClock;
  store: ScheduleStore;
  /** Schedules of the template. They are not stored, and are counted from the time of each start. */
  schedules: readonly ScheduleModel[];
  fire(firing: ScheduleTarget): Promise<void>;
}

const seconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const timingOf = (schedule: StoredSchedule): ScheduleTiming => ({
  expression: schedule.ScheduleExpression,
  startMs: schedule.StartDate === null ? undefined : schedule.StartDate * 1000,
  createdMs: schedule.created_ms,
});

const fromTemplate = (model: ScheduleModel, nowMs: number): StoredSchedule => ({
  ...model,
  GroupName: 'default',
  StartDate: null,
  created_ms: nowMs,
  modified_ms: nowMs,
  fired_through_ms: nowMs - 1,
});

export const startScheduler = (options: SchedulerOptions): Scheduler => {
  const { clock, store } = options;
  const fixed = options.schedules.map((model) => fromTemplate(model, clock.nowMs()));
  /** Next firing of each schedule, by group and name; every tick checks all entries. */
  const due = new Map<string, { schedule: StoredSchedule; dueMs: number; isFixed: boolean }>();
  /**
   * Writes the time of a firing. If the write fails, the schedule fires once more after a restart, which Scheduler
   * itself may also do.
   */
  const spareWrite = createSpareWrite('schedules');
  let busy = 0;
  let closed = false;
  const keyOf = ({ GroupName, Name }: StoredSchedule): string => `${GroupName}/${Name}`;

  const plan = (schedule: StoredSchedule, isFixed: boolean) => {
    const dueMs = nextFiringMs(timingOf(schedule), schedule.fired_through_ms);
    due.set(keyOf(schedule), { schedule, dueMs, isFixed });
  };

  const send = async (schedule: StoredSchedule, dueMs: number): Promise<void> => {
    busy += 1;
    try {
      await options.fire({
        targetArn: schedule.Target.Arn,
        input: schedule.Target.Input.replaceAll('<aws.scheduler.scheduled-time>', seconds(dueMs)),
      });
    } catch (error) {
      console.error(`schedule ${schedule.Name}:`, (error as Error).message);
    } finally {
      busy -= 1;
    }
  };

  const tick = () => {
    const nowMs = clock.nowMs();
    if (closed) return;
    for (const { schedule, dueMs, isFixed } of [...due.values()].filter((each) => each.dueMs <= nowMs)) {
      const firedMs = lastFiringMs(timingOf(schedule), schedule.fired_through_ms, nowMs) ?? dueMs;
      const fired = { ...schedule, fired_through_ms: firedMs };
      plan(fired, isFixed);
      if (!isFixed) spareWrite(() => store.put(fired));
      void send(schedule, firedMs);
    }
  };

  for (const schedule of store.all()) plan(schedule, false);
  for (const schedule of fixed) plan(schedule, true);
  const timer = setInterval(tick, TICK_MS);
  const stopListening = clock.onJump(tick);
  tick();

  return {
    nextDueMs: () => {
      const times = [...due.values()].map(({ dueMs }) => dueMs);
      return times.length > 0 ? times.reduce((least, each) => Math.min(least, each)) : undefined;
    },
    busy: () => busy,
    changed(group, name) {
      const schedule = store.find(group, name);
      if (schedule) plan(schedule, false);
      else due.delete(`${group}/${name}`);
      tick();
    },
    async close() {
      closed = true;
      clearInterval(timer);
      stopListening();
    },
  };
};

/**
 * EventBridge Scheduler on the virtual clock: the template's schedules, and schedules created through Scheduler's API.
 * Several firings of a schedule within one jump of the clock, or while the stack was down, become one firing at the
 * latest of their times: a target reads the table, so repeated firings would have no further effect.
 */
import type { VirtualClock } from './clock.ts';
import type { ScheduleModel } from './model.ts';
import { lastFiringMs, nextFiringMs, type ScheduleTiming } from './schedule-expressions.ts';
import type { ScheduleStore, StoredSchedule } from './schedule-store.ts';
import { createSpareWrite } from './spare-writes.ts';

/** AWS fires within a minute of the due time. */
const TICK_MS = 200;

export interface ScheduleTarget {
  targetArn: string;
  /** Input of the target, in which the context keyword is already replaced. */
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
  /** Schedules of the template; they are not stored and begin again with every start. */
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
   * If a write fails, only the time of a firing is lost: after a restart the schedule fires once more, as Scheduler
   * itself may.
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

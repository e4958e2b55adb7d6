/**
 * Stores each schedule in a separate file of the data folder, so that schedules survive a restart and a write affects
 * only one schedule.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ScheduleProperties } from './resources.ts';

/**
 * Body of our requests CreateSchedule and UpdateSchedule, in Scheduler's own spelling; any other field or value is
 * refused. Dates are seconds since the epoch.
 */
export const ScheduleBody = ScheduleProperties.extend({
  ScheduleExpressionTimezone: z.literal('UTC').optional(),
  StartDate: z.number(),
  Description: z.string().max(512).optional(),
  State: z.literal('ENABLED').optional(),
  ActionAfterCompletion: z.literal('NONE').optional(),
  GroupName: z.string().default('default'),
  /** The SDK adds this token to each request, so that AWS detects duplicates. */
  ClientToken: z.string().optional(),
});

const Stored = ScheduleBody.extend({
  /** First time of a firing; null when firings are counted from the schedule's creation. */
  StartDate: z.number().nullable(),
  Name: z.string(),
  created_ms: z.number(),
  modified_ms: z.number(),
  /** Time from which firings are counted: the time of the creation, the last change, or the last firing. */
  fired_through_ms: z.number(),
});

export type StoredSchedule = z.infer<typeof Stored>;

export interface ScheduleStore {
  all(): StoredSchedule[];
  find(group: string, name: string): StoredSchedule | undefined;
  put(schedule: StoredSchedule): void;
  delete(group: string, name: string): boolean;
}

/**
 * Returns the name of a schedule's file. Its hash identifies the schedule, because a schedule's name may be `..` and a
 * file system may ignore case. The readable beginning is only for people.
 */
const fileName = (group: string, name: string): string =>
  `${name.slice(0, 40)}.${createHash('sha256').update(`${group}/${name}`).digest('hex').slice(0, 32)}.json`;

export const openScheduleStore = (folder: string): ScheduleStore => {
  mkdirSync(folder, { recursive: true });
  const schedules = new Map<string, StoredSchedule>();
  const keyOf = (group: string, name: string) => `${group}/${name}`;
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const schedule = Stored.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    schedules.set(keyOf(schedule.GroupName, schedule.Name), schedule);
  }
  return {
    all: () => [...schedules.values()],
    find: (group, name) => schedules.get(keyOf(group, name)),
    put(schedule) {
      const path = join(folder, fileName(schedule.GroupName, schedule.Name));
      writeFileSync(`${path}.new`, JSON.stringify(schedule));
      renameSync(`${path}.new`, path);
      schedules.set(keyOf(schedule.GroupName, schedule.Name), schedule);
    },
    delete(group, name) {
      rmSync(join(folder, fileName(group, name)), { force: true });
      return schedules.delete(keyOf(group, name));
    },
  };
};

/** Schedules, one file each under the data folder: a restart keeps them, and no write touches another schedule's. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ScheduleProperties } from './resources.ts';

/**
 * What CreateSchedule and UpdateSchedule of ours send, in Scheduler's own spelling; any other field or value is refused.
 * Dates are seconds since the epoch.
 */
export const ScheduleBody = ScheduleProperties.extend({
  ScheduleExpressionTimezone: z.literal('UTC').optional(),
  StartDate: z.number(),
  Description: z.string().max(512).optional(),
  State: z.literal('ENABLED').optional(),
  ActionAfterCompletion: z.literal('NONE').optional(),
  GroupName: z.string().default('default'),
  /** The SDK's own, against repeats. */
  ClientToken: z.string().optional(),
});

const Stored = ScheduleBody.extend({
  /** Null where firings begin with the schedule itself. */
  StartDate: z.number().nullable(),
  Name: z.string(),
  created_ms: z.number(),
  modified_ms: z.number(),
  /** Where counting goes on from: creation, change, or the last firing. */
  fired_through_ms: z.number(),
});

export type StoredSchedule = z.infer<typeof Stored>;

export interface ScheduleStore {
  all(): StoredSchedule[];
  find(group: string, name: string): StoredSchedule | undefined;
  put(schedule: StoredSchedule): void;
  delete(group: string, name: string): boolean;
}

/** Names may be `..`, and a file system may fold case: the hash is the identity, the name is for people. */
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

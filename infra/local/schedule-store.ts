/** Schedules, one file each under the data folder: a restart keeps them, and no write touches another schedule's. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** What CreateSchedule and UpdateSchedule send, in Scheduler's own spelling. Dates are seconds since the epoch. */
export const ScheduleBody = z.object({
  ScheduleExpression: z.string().min(1).max(256),
  ScheduleExpressionTimezone: z.string().min(1).max(50).default('UTC'),
  StartDate: z.number().nullish(),
  EndDate: z.number().nullish(),
  Description: z.string().max(512).nullish(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  ActionAfterCompletion: z.enum(['NONE', 'DELETE']).default('NONE'),
  GroupName: z.string().default('default'),
  KmsKeyArn: z.string().nullish(),
  FlexibleTimeWindow: z.object({ Mode: z.enum(['OFF', 'FLEXIBLE']) }).loose(),
  Target: z
    .object({
      Arn: z.string().min(1).max(1600),
      RoleArn: z.string().min(1).max(1600),
      Input: z.string().min(1).nullish(),
      SqsParameters: z.object({ MessageGroupId: z.string().optional() }).nullish(),
    })
    .loose(),
});

const Stored = ScheduleBody.extend({
  Name: z.string(),
  created_ms: z.number(),
  modified_ms: z.number(),
  /** Where counting goes on from: creation, change, or the last firing. */
  fired_through_ms: z.number().nullable(),
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

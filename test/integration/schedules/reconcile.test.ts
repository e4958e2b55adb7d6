/** Scheduler and table get out of step through a crash, a fault or a manual change, and are reconciled. */
import { expect, test } from 'vitest';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { scheduleName } from '#shared/connections/schedule.rules.ts';
import * as schedules from '#shared/connections/schedule.store.ts';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { sweep } from '#shared/recovery/sweep.ts';
import {
  AT,
  created,
  firing,
  HOUR_MS,
  held,
  hourly,
  item,
  OURS,
  put,
  revisionHeld,
  stored,
  useSchedules,
  world,
} from '#test/helpers/schedules.ts';

useSchedules();

const UNREACHABLE = Object.assign(new Error('x'), { name: 'TimeoutError' });

test.each([
  ['before', false],
  ['after', true],
])('cut off %s the call: the answer stays valid and the sweeper settles it', async (_, after) => {
  const id = await created();
  world.scheduler.fault = { error: UNREACHABLE, after };
  expect((await put(id, hourly)).status).toBe(200);
  await sweep();
  expect((await item(id)).due_pk).toBeDefined();
  world.scheduler.fault = null;
  world.clockMs += MESSAGING_LIMITS.messageGraceMs + 1;
  await sweep();
  expect(held(id)).toMatchObject({ StartDate: new Date(firing(id, AT + HOUR_MS)) });
  world.clockMs += CONNECTION_LIMITS.scheduleSecondLookMs + 1;
  await sweep();
  const checkMs = Date.parse(String((await item(id)).due_sk).slice(0, 24)) - world.clockMs;
  expect(checkMs).toBeLessThanOrEqual(CONNECTION_LIMITS.scheduleCheckMs);
  expect(checkMs).toBeGreaterThanOrEqual(0.75 * CONNECTION_LIMITS.scheduleCheckMs);
});

test('settled after the first firing was missed: the beat stays', async () => {
  const id = await created();
  world.scheduler.fault = { error: UNREACHABLE, after: false };
  await put(id, hourly);
  world.scheduler.fault = null;
  world.clockMs += 90 * 60_000;
  await sweep();
  expect(held(id)?.StartDate).toEqual(new Date(firing(id, AT + 2 * HOUR_MS)));
});

test('two calls to Scheduler in the wrong order: the table decides', async () => {
  const id = await created();
  world.scheduler.before = async () => void (await put(id, { enabled: true, frequency_minutes: 360 }));
  await put(id, hourly);
  expect(revisionHeld(id)).toBe((await stored(id)).schedule.revision);
  expect(held(id)?.ScheduleExpression).toBe('rate(360 minutes)');
});

test('deleted while Scheduler was called: nothing is left', async () => {
  const id = await created();
  world.scheduler.before = async () => void (await world.api.remove(id));
  await put(id, hourly);
  expect(held(id)).toBeUndefined();
});

const SECOND_LOOK_MS = CONNECTION_LIMITS.scheduleSecondLookMs;
const dueInMs = async (id: string): Promise<number> =>
  Date.parse(String((await item(id)).due_sk).slice(0, 24)) - world.clockMs;

test('a second look some minutes after a change restores a schedule that a late call removed', async () => {
  const id = await created();
  await put(id, hourly);
  expect(await dueInMs(id)).toBe(SECOND_LOOK_MS);
  // The call that removed an earlier schedule arrives after the call that created the new one.
  world.scheduler.held.delete(scheduleName(OURS, id));
  world.clockMs += SECOND_LOOK_MS + 1;
  await sweep();
  expect(revisionHeld(id)).toBe((await stored(id)).schedule.revision);
  // The look changed the schedule, so another look follows. That one finds nothing, and the daily check follows.
  expect(await dueInMs(id)).toBe(SECOND_LOOK_MS);
  world.clockMs += SECOND_LOOK_MS + 1;
  world.scheduler.calls.length = 0;
  await sweep();
  expect(world.scheduler.calls).toEqual([`get ${scheduleName(OURS, id)}`]);
  expect(await dueInMs(id)).toBeGreaterThanOrEqual(0.75 * CONNECTION_LIMITS.scheduleCheckMs);
});

test('a second look removes a schedule that a late call created, and is the last', async () => {
  const id = await created();
  await put(id, hourly);
  const former = held(id)!;
  await put(id, { enabled: false, frequency_minutes: 60 });
  world.scheduler.held.set(scheduleName(OURS, id), former);
  world.clockMs += SECOND_LOOK_MS + 1;
  await sweep();
  expect(held(id)).toBeUndefined();
  expect((await item(id)).due_pk).toBeUndefined();
});

test('a schedule without dead letters, as an earlier version made it, gets them at the daily check', async () => {
  const id = await created();
  await put(id, hourly);
  const { DeadLetterConfig, ...target } = held(id)!.Target!;
  expect(DeadLetterConfig).toEqual({ Arn: process.env.SCHEDULE_DEAD_LETTERS_ARN });
  world.scheduler.held.set(scheduleName(OURS, id), { ...held(id)!, Target: target });
  world.clockMs += CONNECTION_LIMITS.scheduleCheckMs + 1;
  await sweep();
  expect(held(id)!.Target!.DeadLetterConfig).toEqual(DeadLetterConfig);
});

test('once a day each schedule is checked: created again when lost, repaired when altered', async () => {
  const [lost, altered] = [await created(), await created()];
  await put(lost, hourly);
  await put(altered, hourly);
  world.scheduler.held.delete(scheduleName(OURS, lost));
  world.scheduler.held.set(scheduleName(OURS, altered), { ...held(altered)!, State: 'DISABLED' });
  world.clockMs += CONNECTION_LIMITS.scheduleCheckMs + 1;
  await sweep();
  for (const id of [lost, altered]) expect(held(id)).toMatchObject({ State: 'ENABLED' });
  world.clockMs += SECOND_LOOK_MS + 1;
  await sweep();
  world.scheduler.calls.length = 0;
  world.clockMs += CONNECTION_LIMITS.scheduleCheckMs + 1;
  await sweep();
  expect(world.scheduler.calls.filter((one) => !/^(get|list)/.test(one))).toEqual([]);
});

test('once a day schedules that belong to nobody are removed, page after page', async () => {
  const id = await created();
  await put(id, hourly);
  const off = await created();
  const mine = held(id)!;
  const foreign = ['by-hand', scheduleName(OURS, off)];
  for (let n = 0; n < 250; n++) foreign.push(scheduleName(OURS, crypto.randomUUID()));
  for (const Name of foreign) world.scheduler.held.set(Name, { ...mine, Name });
  world.clockMs += CONNECTION_LIMITS.scheduleCheckMs + 1;
  await sweep();
  expect([...world.scheduler.held.keys()]).toEqual([scheduleName(OURS, id)]);
  expect(world.scheduler.calls.filter((one) => one === 'list').length).toBeGreaterThanOrEqual(3);
  world.scheduler.calls.length = 0;
  world.clockMs += CONNECTION_LIMITS.scheduleCheckMs / 2;
  await sweep();
  expect(world.scheduler.calls.filter((one) => one === 'list')).toEqual([]);
});

test('an interrupted search resumes where it was; two sweepers do it once', async () => {
  await schedules.ensureReconciliation();
  await schedules.ensureReconciliation();
  const [one, other] = await Promise.all([schedules.claimReconciliation(), schedules.claimReconciliation()]);
  expect([one, other].filter(Boolean)).toHaveLength(1);
  await schedules.advanceReconciliation((one ?? other)!, 'page-2');
  expect((await schedules.claimReconciliation())?.token).toBe('page-2');
});

import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
  ValidationException,
} from '@aws-sdk/client-scheduler';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTinyStack, type TinyStack, temporaryFolder } from './tiny-stack.ts';

let folder: string;
let stack: TinyStack;
let client: SchedulerClient;

const start = async (): Promise<void> => {
  stack = await startTinyStack({ dataFolder: folder });
  client = new SchedulerClient({
    endpoint: stack.endpoints.scheduler,
    region: stack.region,
    credentials: stack.credentials,
  });
};
const stop = async (): Promise<void> => {
  client.destroy();
  await stack.close();
};
beforeEach(async () => {
  folder = temporaryFolder();
  await start();
});
afterEach(stop);

const ticks = (): string[] => stack.lines<{ tick: string }>('tick').map(({ tick }) => tick);

const hourly = (name: string, startsInMs: number) => ({
  Name: name,
  ScheduleExpression: 'rate(60 minutes)',
  StartDate: new Date(Math.ceil((stack.clock.nowMs() + startsInMs) / 1000) * 1000),
  FlexibleTimeWindow: { Mode: 'OFF' as const },
  Target: {
    Arn: stack.model.mappings[0]?.queueArn,
    RoleArn: 'arn:aws:iam::000000000000:role/any',
    Input: '{"ok":"<aws.scheduler.scheduled-time>"}',
  },
});
const fired = (): string[] =>
  stack.lines<{ body: string }>('worker').map(({ body }) => (JSON.parse(body) as { ok: string }).ok);

test('a schedule of the template fires at once, then every minute of virtual time', async () => {
  await stack.jumps.settle();
  expect(ticks()).toHaveLength(1);
  for (let jumps = 0; jumps < 3; jumps += 1) await stack.jumps.jump();
  const times = ticks().map((time) => Date.parse(time));
  expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual([60_000, 60_000, 60_000]);
});

test('firings that fall into one jump are one, the latest', async () => {
  await stack.jumps.settle();
  stack.clock.advance(3_600_000);
  await stack.jumps.settle();
  expect(ticks()).toHaveLength(2);
  expect(Date.parse(ticks()[1] ?? '')).toBeGreaterThan(stack.clock.nowMs() - 120_000);
});

test('made through the API: fires from its start on, its keyword replaced, also after a restart', async () => {
  const schedule = hourly('c-1', 3_600_000);
  const { ScheduleArn } = await client.send(new CreateScheduleCommand(schedule));
  expect(ScheduleArn).toBe('arn:aws:scheduler:us-east-1:000000000000:schedule/default/c-1');
  await stack.jumps.walk(3_500_000);
  expect(fired()).toEqual([]);
  await stop();
  await start();
  const first = schedule.StartDate.toISOString().replace('.000Z', 'Z');
  const second = new Date(schedule.StartDate.getTime() + 3_600_000).toISOString().replace('.000Z', 'Z');
  await stack.jumps.walk(200_000);
  expect(fired()).toEqual([first]);
  await stop();
  await start();
  await stack.jumps.walk(3_600_000);
  expect(fired()).toEqual([first, second]);
}, 60_000);

test('names, conflicts, absences', async () => {
  const schedule = hourly('c-1', 3_600_000);
  await client.send(new CreateScheduleCommand(schedule));
  await expect(client.send(new CreateScheduleCommand(schedule))).rejects.toBeInstanceOf(ConflictException);
  for (const command of [
    new GetScheduleCommand({ Name: 'other' }),
    new DeleteScheduleCommand({ Name: 'other' }),
    new UpdateScheduleCommand({ ...schedule, Name: 'other' }),
    new CreateScheduleCommand({ ...schedule, Name: 'c-2', GroupName: 'no-such-group' }),
  ])
    await expect(client.send(command as GetScheduleCommand)).rejects.toBeInstanceOf(ResourceNotFoundException);
  for (const faulty of [
    { Name: 'a b' },
    { Name: 'a'.repeat(65) },
    { ScheduleExpression: 'rate(0 minutes)' },
    { ScheduleExpression: 'daily' },
  ])
    await expect(
      client.send(new CreateScheduleCommand({ ...schedule, Name: 'c-3', ...faulty })),
    ).rejects.toBeInstanceOf(ValidationException);
});

test('a schedule that is not ours is refused by name', async () => {
  const schedule = hourly('c-4', 0);
  for (const [name, more] of Object.entries({
    ScheduleExpression: { ScheduleExpression: 'cron(0 9 * * ? *)' },
    ScheduleExpressionTimezone: { ScheduleExpressionTimezone: 'America/Santiago' },
    EndDate: { EndDate: new Date('2030-01-01') },
    State: { State: 'DISABLED' as const },
    ActionAfterCompletion: { ActionAfterCompletion: 'DELETE' as const },
    'FlexibleTimeWindow.Mode': { FlexibleTimeWindow: { Mode: 'FLEXIBLE' as const } },
    'Target.Input': { Target: { ...schedule.Target, Input: '<aws.scheduler.execution-id>' } },
    SqsParameters: { Target: { ...schedule.Target, SqsParameters: { MessageGroupId: 'a' } } },
  }))
    await expect(client.send(new CreateScheduleCommand({ ...schedule, ...more }))).rejects.toThrow(name);
  await expect(client.send(new ListSchedulesCommand({ NamePrefix: 'c' }))).rejects.toThrow('NamePrefix');
});

test('an update replaces every field; a deleted schedule no longer fires', async () => {
  const schedule = hourly('..', 60_000);
  await client.send(new CreateScheduleCommand({ ...schedule, Description: 'first' }));
  const StartDate = new Date(schedule.StartDate.getTime() + 600_000);
  await client.send(new UpdateScheduleCommand({ ...schedule, ScheduleExpression: 'rate(120 minutes)', StartDate }));
  const stored = await client.send(new GetScheduleCommand({ Name: '..' }));
  expect(stored).toMatchObject({ ScheduleExpression: 'rate(120 minutes)', StartDate });
  expect(stored.Description).toBeUndefined();
  expect(stored.Target?.Input).toBe(schedule.Target.Input);
  await stack.jumps.walk(200_000);
  expect(fired()).toEqual([]);
  const { Schedules } = await client.send(new ListSchedulesCommand({ GroupName: 'default' }));
  expect(Schedules?.map(({ Name }) => Name)).toEqual(['..']);
  await client.send(new DeleteScheduleCommand({ Name: '..' }));
  expect((await client.send(new ListSchedulesCommand({}))).Schedules).toEqual([]);
  await stack.jumps.walk(900_000);
  expect(fired()).toEqual([]);
});

/** Scheduler in memory behind the real client: its schedules, its calls, and its faults. */
import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { mockAwsClient } from '#test/fakes/aws-client.ts';

const refusal = (name: string): Error => Object.assign(new Error(name), { name });

export interface FakeScheduler {
  held: Map<string, CreateScheduleCommandInput>;
  /** `create a`, `update a` and so on, by name. */
  calls: string[];
  /** Thrown instead of an answer while set; with `after` the call has its effect first. */
  fault: { error: Error; after: boolean } | null;
  /** Runs before each call, once. */
  before: (() => Promise<void>) | null;
  restore(): void;
}

export const fakeScheduler = (): FakeScheduler => {
  Object.assign(process.env, {
    SCHEDULE_GROUP_NAME: 'connections',
    SCHEDULE_ROLE_ARN: 'arn:aws:iam::000000000000:role/scheduler',
    SCHEDULE_TARGET_ARN: 'arn:aws:sqs:us-east-1:000000000000:sync-requests',
    SCHEDULE_DEAD_LETTERS_ARN: 'arn:aws:sqs:us-east-1:000000000000:sync-requests-dead-letters',
  });
  const mock = mockAwsClient(SchedulerClient);
  const fake: FakeScheduler = {
    held: new Map(),
    calls: [],
    fault: null,
    before: null,
    restore: () => mock.restore(),
  };
  const does =
    <I, O>(verb: string, effect: (input: I) => O) =>
    async (input: I): Promise<O> => {
      const { before } = fake;
      fake.before = null;
      await before?.();
      fake.calls.push(`${verb} ${(input as { Name?: string }).Name ?? ''}`.trim());
      if (fake.fault && !fake.fault.after) throw fake.fault.error;
      const answer = effect(input);
      if (fake.fault) throw fake.fault.error;
      return answer;
    };
  const mustHold = (name: string): CreateScheduleCommandInput => {
    const schedule = fake.held.get(name);
    if (!schedule) throw refusal('ResourceNotFoundException');
    return schedule;
  };
  const named = (input: { Name?: string | undefined }): string => input.Name ?? '';

  mock.on(CreateScheduleCommand).callsFake(
    does('create', (input: CreateScheduleCommandInput) => {
      if (fake.held.has(named(input))) throw refusal('ConflictException');
      fake.held.set(named(input), input);
      return {};
    }),
  );
  mock.on(UpdateScheduleCommand).callsFake(
    does('update', (input: CreateScheduleCommandInput) => {
      mustHold(named(input));
      fake.held.set(named(input), input);
      return {};
    }),
  );
  mock.on(DeleteScheduleCommand).callsFake(
    does('delete', (input: { Name: string }) => {
      mustHold(input.Name);
      fake.held.delete(input.Name);
      return {};
    }),
  );
  mock.on(GetScheduleCommand).callsFake(does('get', (input: { Name: string }) => mustHold(input.Name)));
  mock.on(ListSchedulesCommand).callsFake(
    does('list', ({ MaxResults = 100, NextToken = '' }: { MaxResults?: number; NextToken?: string }) => {
      const left = [...fake.held.keys()].sort().filter((name) => name > NextToken);
      const page = left.slice(0, MaxResults);
      return {
        Schedules: page.map((Name) => ({ Name })),
        ...(left.length > MaxResults ? { NextToken: page.at(-1) } : {}),
      };
    }),
  );
  return fake;
};

/**
 * Calls EventBridge Scheduler, which has one schedule per connection. Scheduler only has a copy of the table's data: a
 * call may be repeated, late or lost, and `shared/connections/reconcile-schedules.ts` corrects the copy.
 */
import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  type GetScheduleCommandOutput,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { bounded } from '#shared/platform/bounded-calls.ts';
import { env } from '#shared/platform/env.ts';
import { lazy } from '#shared/platform/lazy.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { makePatient } from '#shared/platform/patience.ts';
import { type HeldSchedule, scheduleName } from './schedule.rules.ts';

const scheduler = lazy(
  // The limits are short: if Scheduler hangs, the API function must still have time to answer. The table already
  // contains the change.
  () =>
    makePatient(
      new SchedulerClient(bounded(CONNECTION_LIMITS.schedulerCallMs, CONNECTION_LIMITS.schedulerAttemptsMax)),
    ),
);

const isCalled = (error: unknown, name: string): boolean => (error as { name?: string }).name === name;

/** Scheduler replaces this text with the time of the firing. */
const SCHEDULED_TIME = '<aws.scheduler.scheduled-time>';

/** Returns the message that a firing sends: `SyncRequest` of kind `scheduled`. */
const messageOf = ({ organizationId, connectionId, revision }: HeldSchedule): string =>
  JSON.stringify({ kind: 'scheduled', organizationId, connectionId, revision, scheduledAt: SCHEDULED_TIME });

export interface SchedulerSettings {
  groupName: string;
  roleArn: string;
  targetArn: string;
  /** Queue for firings that Scheduler could not send to the target. */
  deadLettersArn: string;
}

/** Returns the complete request. UpdateSchedule takes the same request and replaces every field. Pure. */
export const scheduleRequest = (schedule: HeldSchedule, settings: SchedulerSettings): CreateScheduleCommandInput => ({
  Name: scheduleName(schedule.organizationId, schedule.connectionId),
  GroupName: settings.groupName,
  Description: `connection ${schedule.connectionId}`,
  ScheduleExpression: `rate(${schedule.frequencyMinutes} minutes)`,
  ScheduleExpressionTimezone: 'UTC',
  // Without a start date, a rate fires as soon as it is created.
  StartDate: new Date(schedule.startsAt),
  State: 'ENABLED',
  ActionAfterCompletion: 'NONE',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: {
    Arn: settings.targetArn,
    RoleArn: settings.roleArn,
    Input: messageOf(schedule),
    // Retries end after 30 minutes. A later firing is useless, because the next firing is near.
    RetryPolicy: { MaximumEventAgeInSeconds: 1_800, MaximumRetryAttempts: 10 },
    DeadLetterConfig: { Arn: settings.deadLettersArn },
  },
});

const settings = (): SchedulerSettings => ({
  groupName: env(VARIABLES.scheduleGroup),
  roleArn: env(VARIABLES.scheduleRoleArn),
  targetArn: env(VARIABLES.scheduleTargetArn),
  deadLettersArn: env(VARIABLES.scheduleDeadLettersArn),
});

/**
 * Creates or replaces the schedule.
 *
 * @throws the Scheduler's error if it is unreachable
 */
export const putSchedule = async (schedule: HeldSchedule): Promise<void> => {
  const request = scheduleRequest(schedule, settings());
  for (let attempts = 1; ; attempts++) {
    try {
      await scheduler().send(new CreateScheduleCommand(request));
      return;
    } catch (error) {
      if (!isCalled(error, 'ConflictException')) throw error;
    }
    try {
      await scheduler().send(new UpdateScheduleCommand(request));
      return;
    } catch (error) {
      // The schedule was deleted between the two calls.
      if (!isCalled(error, 'ResourceNotFoundException') || attempts >= CONNECTION_LIMITS.schedulerPutAttemptsMax)
        throw error;
    }
  }
};

/** Removes the schedule. Does nothing if the schedule does not exist. */
export const removeSchedule = async (name: string): Promise<void> => {
  try {
    await scheduler().send(new DeleteScheduleCommand({ GroupName: env(VARIABLES.scheduleGroup), Name: name }));
  } catch (error) {
    if (!isCalled(error, 'ResourceNotFoundException')) throw error;
  }
};

const find = async (name: string): Promise<GetScheduleCommandOutput | undefined> => {
  try {
    return await scheduler().send(new GetScheduleCommand({ GroupName: env(VARIABLES.scheduleGroup), Name: name }));
  } catch (error) {
    if (isCalled(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
};

/** True if Scheduler has exactly this setting. The start is not compared, because it moves with every past firing. */
export const holdsSchedule = async (schedule: HeldSchedule): Promise<boolean> => {
  const wanted = scheduleRequest(schedule, settings());
  const held = await find(wanted.Name ?? '');
  return (
    held?.State === wanted.State &&
    held?.ScheduleExpression === wanted.ScheduleExpression &&
    held?.Target?.Arn === wanted.Target?.Arn &&
    held?.Target?.RoleArn === wanted.Target?.RoleArn &&
    held?.Target?.DeadLetterConfig?.Arn === wanted.Target?.DeadLetterConfig?.Arn &&
    held?.Target?.Input === wanted.Target?.Input
  );
};

/**
 * Returns the names of the schedules in the group, page by page. `next` is null after the last page. If Scheduler
 * refuses the token, the list starts from the beginning.
 */
export const listScheduleNames = async (token: string | null): Promise<{ names: string[]; next: string | null }> => {
  try {
    const { Schedules = [], NextToken } = await scheduler().send(
      new ListSchedulesCommand({
        GroupName: env(VARIABLES.scheduleGroup),
        MaxResults: CONNECTION_LIMITS.schedulesPerPage,
        ...(token === null ? {} : { NextToken: token }),
      }),
    );
    return { names: Schedules.map(({ Name }) => Name ?? ''), next: NextToken ?? null };
  } catch (error) {
    if (token !== null && isCalled(error, 'ValidationException')) return listScheduleNames(null);
    throw error;
  }
};

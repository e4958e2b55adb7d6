import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Connection, nextFiring, type Schedule } from '#shared/connections/connection.rules.ts';
import {
  delaySeconds,
  FREQUENCIES_MINUTES,
  parseScheduleName,
  scheduleAfter,
  scheduleAfterSwitch,
  scheduleName,
  skipReason,
  wantedSchedule,
} from '#shared/connections/schedule.rules.ts';
import { scheduleRequest } from '#shared/connections/scheduler.client.ts';
import { newId } from '#shared/platform/ids.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const NONE: Schedule = { enabled: false, frequencyMinutes: null, startsAt: null, revision: 0 };
/** Its delay is 7 s. */
const ID = '0193aaaa-bbbb-7ccc-8ddd-eeee00000007';
const of = (schedule: Schedule) => ({ id: ID, schedule });
const hourly = scheduleAfter(of(NONE), { enabled: true, frequencyMinutes: 60 }, AT);

const connectionWith = (changes: Partial<Connection>): Connection => ({
  id: ID,
  organizationId: '11111111-1111-4111-8111-111111111111',
  source: 'tax',
  name: 'x',
  enabledScopes: ['rcv'],
  metadata: {},
  status: 'active',
  schedule: hourly,
  credentialsVersion: 1,
  openRuns: [],
  syncedScopes: [],
  lastSyncStatus: null,
  lastSuccessfulSyncAt: null,
  createdAt: new Date(AT).toISOString(),
  ...changes,
});

test('a thousand connections that are scheduled at once fire over five minutes, each always at the same delay', () => {
  const ids = Array.from({ length: 1_000 }, () => newId());
  const minutes = Map.groupBy(ids, (id) => Math.floor(delaySeconds(id) / 60));
  expect([...minutes.keys()].sort()).toEqual([0, 1, 2, 3, 4]);
  // A fifth each; fewer than 120 of 1,000 has a chance below one in a billion.
  for (const [, inMinute] of minutes) expect(inMinute.length).toBeGreaterThan(120);
  for (const id of ids) expect(delaySeconds(id)).toBe(delaySeconds(id.toUpperCase()));
});

describe('a setting', () => {
  test('begins one period and the delay of its connection on, in whole seconds', () => {
    expect(hourly).toEqual({
      enabled: true,
      frequencyMinutes: 60,
      startsAt: '2026-11-05T13:00:07.000Z',
      revision: 1,
    });
    expect(scheduleAfter(of(NONE), { enabled: true, frequencyMinutes: 360 }, AT + 1).startsAt).toBe(
      '2026-11-05T18:00:08.000Z',
    );
  });

  test('sent again changes nothing', () => {
    expect(scheduleAfter(of(hourly), { enabled: true, frequencyMinutes: 60 }, AT + HOUR_MS)).toBe(hourly);
    const off = scheduleAfter(of(hourly), { enabled: false, frequencyMinutes: 60 }, AT);
    expect(scheduleAfter(of(off), { enabled: false, frequencyMinutes: 60 }, AT)).toBe(off);
  });

  test('changed begins again, disabled retains its frequency or has no frequency', () => {
    expect(scheduleAfter(of(hourly), { enabled: true, frequencyMinutes: 720 }, AT + 5_000)).toEqual({
      enabled: true,
      frequencyMinutes: 720,
      startsAt: '2026-11-06T00:00:12.000Z',
      revision: 2,
    });
    const off = { enabled: false, frequencyMinutes: 60, startsAt: null, revision: 2 };
    expect(scheduleAfter(of(hourly), { enabled: false, frequencyMinutes: 60 }, AT)).toEqual(off);
    expect(scheduleAfter(of(off), { enabled: false, frequencyMinutes: null }, AT)).toMatchObject({
      frequencyMinutes: null,
      revision: 3,
    });
  });

  test('survives disabling and enabling of the connection, and restarts one period later', () => {
    const disabled = scheduleAfterSwitch(of(hourly), { isEnabled: false }, AT + HOUR_MS);
    expect(disabled).toEqual({ ...hourly, revision: 2 });
    const enabled = scheduleAfterSwitch(of(disabled), { isEnabled: true }, AT + 10 * HOUR_MS);
    expect(enabled).toEqual({ ...hourly, startsAt: '2026-11-05T23:00:07.000Z', revision: 3 });
    expect(scheduleAfterSwitch(of(NONE), { isEnabled: true }, AT)).toBe(NONE);
  });
});

test('what Scheduler should hold starts in the future and on the beat of the setting', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FREQUENCIES_MINUTES), fc.nat(10 ** 10), (frequencyMinutes, laterMs) => {
      const schedule = scheduleAfter(of(NONE), { enabled: true, frequencyMinutes }, AT);
      const wanted = wantedSchedule(connectionWith({ schedule }), AT + laterMs)!;
      const startMs = Date.parse(wanted.startsAt);
      expect(startMs).toBeGreaterThan(AT + laterMs);
      expect(startMs).toBeLessThanOrEqual(AT + laterMs + frequencyMinutes * 60_000 + delaySeconds(ID) * 1_000);
      expect((startMs - AT) % (frequencyMinutes * 60_000)).toBe(delaySeconds(ID) * 1_000);
      expect(wanted.startsAt).toBe(nextFiring('active', schedule, AT + laterMs));
    }),
  );
  expect(wantedSchedule(connectionWith({ status: 'disabled' }), AT)).toBeNull();
  expect(wantedSchedule(connectionWith({ schedule: NONE }), AT)).toBeNull();
});

test('a name identifies its connection and is valid for Scheduler', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (organizationId, connectionId) => {
      const name = scheduleName(organizationId, connectionId);
      expect(name).toMatch(/^[0-9a-zA-Z-_.]{1,64}$/);
      expect(parseScheduleName(name)).toEqual({ organizationId, connectionId });
    }),
  );
  for (const name of ['', 'hourly-report', 'f'.repeat(63), `${'f'.repeat(63)}G`])
    expect(parseScheduleName(name)).toBeUndefined();
});

test('the request to Scheduler says all of it', () => {
  const wanted = wantedSchedule(connectionWith({}), AT)!;
  const settings = { groupName: 'group', roleArn: 'arn:role', targetArn: 'arn:queue', deadLettersArn: 'arn:dead' };
  const { Target, ...request } = scheduleRequest(wanted, settings);
  expect(request).toEqual({
    Name: '0193aaaabbbb7ccc8dddeeee0000000711111111111141118111111111111111',
    GroupName: 'group',
    Description: 'connection 0193aaaa-bbbb-7ccc-8ddd-eeee00000007',
    ScheduleExpression: 'rate(60 minutes)',
    ScheduleExpressionTimezone: 'UTC',
    StartDate: new Date(AT + HOUR_MS + 7_000),
    State: 'ENABLED',
    ActionAfterCompletion: 'NONE',
    FlexibleTimeWindow: { Mode: 'OFF' },
  });
  expect(Target).toMatchObject({
    Arn: 'arn:queue',
    RoleArn: 'arn:role',
    DeadLetterConfig: { Arn: 'arn:dead' },
  });
  expect(JSON.parse(Target?.Input ?? '')).toEqual({
    kind: 'scheduled',
    organizationId: '11111111-1111-4111-8111-111111111111',
    connectionId: '0193aaaa-bbbb-7ccc-8ddd-eeee00000007',
    revision: 1,
    scheduledAt: '<aws.scheduler.scheduled-time>',
  });
});

test.each([
  ['gone', undefined],
  ['stale', connectionWith({ schedule: { ...hourly, revision: 2 } })],
  ['stale', connectionWith({ schedule: { ...hourly, enabled: false } })],
  ['disabled', connectionWith({ status: 'disabled' })],
  ['in-error', connectionWith({ status: 'error' })],
  ['running', connectionWith({ openRuns: ['a'] })],
  [null, connectionWith({ status: 'pending' })],
  [null, connectionWith({})],
])('a firing is skipped: %s', (reason, connection) => {
  expect(skipReason(connection, 1)).toBe(reason);
});

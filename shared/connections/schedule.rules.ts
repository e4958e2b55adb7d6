/**
 * Schedules of connections (decisions.md §6): the effect of changes, and the schedule that Scheduler should have. Pure.
 */
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { type Connection, nextFiring, type Schedule } from './connection.rules.ts';

export const FREQUENCIES_MINUTES = [60, 360, 720, 1440] as const;

const SECOND_MS = 1_000;
/** Schedules that are set in one minute fire over this time. */
const SPREAD_SECONDS = 300;

/**
 * Returns the delay of a connection's firings, from 0 to 299 s. The last digits of an id are random, so that many
 * connections that are scheduled at once do not all sync in one minute.
 */
export const delaySeconds = (id: ConnectionId): number => Number.parseInt(id.slice(-8), 16) % SPREAD_SECONDS;

/**
 * Returns the time one period and the connection's delay from now, in whole seconds, the smallest unit of Scheduler.
 */
const onePeriodOn = (id: ConnectionId, frequencyMinutes: number, nowMs: number): string =>
  new Date((Math.ceil((nowMs + frequencyMinutes * 60_000) / SECOND_MS) + delaySeconds(id)) * SECOND_MS).toISOString();

type Scheduled = Pick<Connection, 'id' | 'schedule'>;

export interface ScheduleSetting {
  enabled: boolean;
  frequencyMinutes: number | null;
}

/**
 * Returns the schedule after a new setting. If the setting is unchanged, returns the same object, so the next firing
 * does not move.
 */
export const scheduleAfter = (
  { id, schedule }: Scheduled,
  { enabled, frequencyMinutes }: ScheduleSetting,
  nowMs: number,
): Schedule => {
  if (schedule.enabled === enabled && schedule.frequencyMinutes === frequencyMinutes) return schedule;
  const startsAt = enabled && frequencyMinutes !== null ? onePeriodOn(id, frequencyMinutes, nowMs) : null;
  return { enabled, frequencyMinutes, startsAt, revision: schedule.revision + 1 };
};

/**
 * Returns the schedule after its connection was disabled or enabled: the setting stays, and earlier firings become
 * stale.
 */
export const scheduleAfterSwitch = (
  { id, schedule }: Scheduled,
  { isEnabled }: { isEnabled: boolean },
  nowMs: number,
): Schedule => {
  const { enabled, frequencyMinutes, revision } = schedule;
  if (!enabled || frequencyMinutes === null) return schedule;
  return {
    ...schedule,
    ...(isEnabled ? { startsAt: onePeriodOn(id, frequencyMinutes, nowMs) } : {}),
    revision: revision + 1,
  };
};

/** A schedule in the form that Scheduler stores. */
export interface HeldSchedule {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  frequencyMinutes: number;
  revision: number;
  /**
   * Time of the first firing. It is never in the past, because Scheduler refuses past times. Later firings follow at
   * each period.
   */
  startsAt: string;
}

/** Returns the schedule that Scheduler should have for a connection now, or null if it should have none. */
export const wantedSchedule = (connection: Connection, nowMs: number): HeldSchedule | null => {
  const { organizationId, id, status, schedule } = connection;
  const startsAt = nextFiring(status, schedule, nowMs);
  if (startsAt === null || schedule.frequencyMinutes === null) return null;
  const { frequencyMinutes, revision } = schedule;
  return { organizationId, connectionId: id, frequencyMinutes, revision, startsAt };
};

const hex = (uuid: string): string => uuid.replaceAll('-', '');
const uuid = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Returns the name of a schedule: connection and organization in 64 hexadecimal digits, the maximum length of a name.
 * The name includes the organization, because the comparison with Scheduler starts from names, and a connection cannot
 * be found without its organization.
 */
export const scheduleName = (organizationId: OrganizationId, connectionId: ConnectionId): string =>
  `${hex(connectionId)}${hex(organizationId)}`;

export const parseScheduleName = (
  name: string,
): { organizationId: OrganizationId; connectionId: ConnectionId } | undefined =>
  /^[0-9a-f]{64}$/.test(name)
    ? { connectionId: uuid(name.slice(0, 32)), organizationId: uuid(name.slice(32)) }
    : undefined;

/** Returns the reason why a firing starts no run, or null. Must match the condition under which the run is stored. */
export const skipReason = (
  connection: Connection | undefined,
  revision: number,
): 'gone' | 'stale' | 'disabled' | 'in-error' | 'running' | null => {
  if (!connection) return 'gone';
  if (!connection.schedule.enabled || connection.schedule.revision !== revision) return 'stale';
  if (connection.status === 'disabled') return 'disabled';
  if (connection.status === 'error') return 'in-error';
  return connection.openRuns.length > 0 ? 'running' : null;
};

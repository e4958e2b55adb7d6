/** Schedules of connections (decisions.md §6): what a change makes of them, and what Scheduler ought to hold. Pure. */
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { type Connection, nextFiring, type Schedule } from './connection.rules.ts';

export const FREQUENCIES_MINUTES = [60, 360, 720, 1440] as const;

const SECOND_MS = 1_000;

/** One period from now, in whole seconds: Scheduler knows no smaller unit. */
const onePeriodOn = (frequencyMinutes: number, nowMs: number): string =>
  new Date(Math.ceil((nowMs + frequencyMinutes * 60_000) / SECOND_MS) * SECOND_MS).toISOString();

export interface ScheduleSetting {
  enabled: boolean;
  frequencyMinutes: number | null;
}

/** The very same object when nothing changes: an unchanged setting keeps its next firing. */
export const scheduleAfter = (schedule: Schedule, { enabled, frequencyMinutes }: ScheduleSetting, nowMs: number) => {
  if (schedule.enabled === enabled && schedule.frequencyMinutes === frequencyMinutes) return schedule;
  const startsAt = enabled && frequencyMinutes !== null ? onePeriodOn(frequencyMinutes, nowMs) : null;
  return { enabled, frequencyMinutes, startsAt, revision: schedule.revision + 1 };
};

/** What disabling or enabling a connection makes of its schedule: the setting is kept, firings of before are stale. */
export const scheduleAfterSwitch = (
  schedule: Schedule,
  { isEnabled }: { isEnabled: boolean },
  nowMs: number,
): Schedule => {
  const { enabled, frequencyMinutes, revision } = schedule;
  if (!enabled || frequencyMinutes === null) return schedule;
  return {
    ...schedule,
    ...(isEnabled ? { startsAt: onePeriodOn(frequencyMinutes, nowMs) } : {}),
    revision: revision + 1,
  };
};

/** A schedule as Scheduler holds it. */
export interface HeldSchedule {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  frequencyMinutes: number;
  revision: number;
  /** Never in the past, which Scheduler refuses; later firings follow period by period. */
  startsAt: string;
}

/** What Scheduler should hold for a connection now; null for nothing. */
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
 * Connection and organization, 64 hexadecimal digits: as long as a name may be. The organization is in it because only
 * with it is there a way to the connection: the comparison with Scheduler starts from names.
 */
export const scheduleName = (organizationId: OrganizationId, connectionId: ConnectionId): string =>
  `${hex(connectionId)}${hex(organizationId)}`;

export const parseScheduleName = (
  name: string,
): { organizationId: OrganizationId; connectionId: ConnectionId } | undefined =>
  /^[0-9a-f]{64}$/.test(name)
    ? { connectionId: uuid(name.slice(0, 32)), organizationId: uuid(name.slice(32)) }
    : undefined;

/** Why a firing starts no run; null when it does. Pure counterpart of the condition under which the run is put. */
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

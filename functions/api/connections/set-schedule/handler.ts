import { changeConnection } from '#shared/data/connection-changes.ts';
import { nextFiring } from '#shared/domain/connection.ts';
import { scheduleAfter } from '#shared/domain/schedule.ts';
import { tellScheduler } from '#shared/engine/schedules.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/errors.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const setSchedule: Logic<typeof contract> = async ({ caller: { organizationId }, params: { id }, body }) => {
  const setting = { enabled: body.enabled, frequencyMinutes: body.frequency_minutes ?? null };
  const changed = await changeConnection(organizationId, id, async ({ schedule }) => {
    const after = scheduleAfter(schedule, setting, nowMs());
    return after === schedule ? {} : { schedule: after };
  });
  if (!changed) throw notFound('connection_not_found');
  const { before, after } = changed;
  if (after.schedule.revision !== before.schedule.revision) await tellScheduler(organizationId, id);
  const { enabled, frequencyMinutes } = after.schedule;
  return {
    status: 200,
    body: {
      data: {
        enabled,
        frequency_minutes: frequencyMinutes,
        next_scheduled_sync_at: nextFiring(after.status, after.schedule, nowMs()),
      },
    },
  };
};

export const handler = endpoint(contract, setSchedule);

import { changeConnection } from '#shared/connections/change-connection.ts';
import { nextFiring } from '#shared/connections/connection.rules.ts';
import { applySchedule } from '#shared/connections/reconcile-schedules.ts';
import { scheduleAfter } from '#shared/connections/schedule.rules.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const setSchedule: Logic<typeof contract> = async ({ caller: { organizationId }, params: { id }, body }) => {
  const setting = { enabled: body.enabled, frequencyMinutes: body.frequency_minutes ?? null };
  const changed = await changeConnection(organizationId, id, async (connection) => {
    const after = scheduleAfter(connection, setting, nowMs());
    return after === connection.schedule ? {} : { schedule: after };
  });
  if (!changed) throw notFound('connection_not_found');
  const { before, after } = changed;
  if (after.schedule.revision !== before.schedule.revision) await applySchedule(organizationId, id);
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

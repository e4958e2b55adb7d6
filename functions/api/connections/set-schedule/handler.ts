import { changeConnection } from '#shared/connections/change-connection.ts';
import { type Connection, nextFiring } from '#shared/connections/connection.rules.ts';
import { applySchedule } from '#shared/connections/reconcile-schedules.ts';
import { scheduleAfter } from '#shared/connections/schedule.rules.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const setSchedule: Logic<typeof contract> = async ({
  caller: { organizationId },
  cause,
  params: { id },
  body,
}) => {
  const setting = { enabled: body.enabled, frequencyMinutes: body.frequency_minutes ?? null };
  const decide = async (connection: Connection) => ({ schedule: scheduleAfter(connection, setting, nowMs()) });
  const changed = await changeConnection(organizationId, id, decide, cause);
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

import * as connections from '#shared/connections/connection.store.ts';
import { dropSchedule } from '#shared/connections/reconcile-schedules.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { send } from '#shared/messaging/send.ts';
import { contract } from './contract.ts';

/**
 * Generation of the first purge message. `connections.remove` already wrote the purge item, which the sweeper would
 * find within a minute; the message only starts the purge earlier.
 */
const FIRST_GENERATION = 1;

export const deleteConnection: Logic<typeof contract> = async ({
  caller: { organizationId },
  cause,
  params: { id },
}) => {
  try {
    await connections.remove(organizationId, id, cause);
  } catch (error) {
    if (error instanceof connections.ConnectionGone) throw notFound('connection_not_found');
    throw error;
  }
  await Promise.all([
    dropSchedule(organizationId, id),
    send('purges', { organizationId, connectionId: id, generation: FIRST_GENERATION }),
  ]);
  return { status: 200, body: { data: { id, deleted: true } } };
};

export const handler = endpoint(contract, deleteConnection);

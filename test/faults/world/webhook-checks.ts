/** What must hold of webhooks after every history. */

import { keys } from '#shared/table/keys.ts';
import { deliveryBodyItem } from '#shared/webhooks/delivery.store.ts';
import { unpackBody } from '#shared/webhooks/event-body.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { BORNE } from '../machine/faults.ts';
import type { Item } from '../table/values.ts';
import type { Check, Violation, World } from './world.ts';

const WORKERS = ['deliver-webhook', 'sweep'];

const deliveriesOf = ({ table, organizationId }: World, endpoint: string): Item[] => {
  const { pk, prefix } = keys.deliveries(organizationId, endpoint);
  return [...table.items()].filter((item) => item.pk === pk && item.sk.startsWith(prefix));
};

/** Id of the run in a delivery's body. */
const runToldBy = (item: Item): string => {
  const text = Buffer.from(unpackBody(deliveryBodyItem.fromItem(item).body)).toString();
  return (JSON.parse(text) as { data: { syncRunId: string } }).data.syncRunId;
};

/** An endpoint that the service disabled gets no later event. */
const isDisabled = ({ table, organizationId }: World, endpoint: string): boolean =>
  table.find(keys.webhookEndpoint(organizationId, endpoint))?.enabled === false;

/** One event per finished run, and one delivery of it per subscription. */
export const oneEventPerRun: Check = (world, all) => {
  const faults: Violation[] = [];
  const finished = all.filter(({ status }) => status !== 'cancelled').map(({ id }) => id);
  const events = new Set<unknown>();
  for (const endpoint of world.endpoints) {
    const told = deliveriesOf(world, endpoint);
    const runs = new Set(told.map(runToldBy));
    for (const { event_id } of told) events.add(event_id);
    if (runs.size !== told.length) faults.push(`endpoint ${endpoint} receives a run twice`);
    // A deleted connection loses its runs; deliveries stay.
    if (world.isDeleted || isDisabled(world, endpoint)) continue;
    const wanted = finished.length + world.burstEvents;
    if (told.length !== wanted)
      faults.push(`endpoint ${endpoint}: ${told.length} deliveries of ${wanted} finished runs`);
    for (const id of finished) if (!runs.has(id)) faults.push(`endpoint ${endpoint} does not receive run ${id}`);
  }
  for (const endpoint of world.endpoints.filter((each) => !isDisabled(world, each))) {
    const told = deliveriesOf(world, endpoint).length;
    if (told !== events.size) faults.push(`endpoint ${endpoint}: ${told} deliveries of ${events.size} events`);
  }
  return faults;
};

/** Attempts are recorded before they are made: none is received without a record, and none too early. */
export const attemptsAreTrue: Check = (world) => {
  const faults: Violation[] = [];
  // A request that had to be sent twice is no excuse for an attempt that nobody receives.
  const isDisturbed = world.machine.wasHit(WORKERS, BORNE);
  for (const endpoint of world.endpoints)
    for (const item of deliveriesOf(world, endpoint)) {
      const delivery = item as unknown as { id: string; status: string; attempts: number };
      const received = world.receivers.received.filter(({ webhookId }) => webhookId === delivery.id);
      if (received.length > delivery.attempts || (!isDisturbed && received.length !== delivery.attempts))
        faults.push(`delivery ${delivery.id}: ${delivery.attempts} attempts, ${received.length} received`);
      if (delivery.attempts > WEBHOOK_LIMITS.webhookAttemptsMax)
        faults.push(`delivery ${delivery.id}: ${delivery.attempts} attempts`);
      if (!['delivered', 'failed'].includes(delivery.status))
        faults.push(`delivery ${delivery.id} is ${delivery.status}`);
      if (delivery.status === 'delivered' && !received.some(({ ok }) => ok))
        faults.push(`delivery ${delivery.id} is delivered, but no receiver accepted it`);
      for (const [n, { recorded, isPlaced }] of received.entries()) {
        if (recorded <= n) faults.push(`delivery ${delivery.id}: attempt ${n + 1} came when ${recorded} were recorded`);
        if (!isPlaced) faults.push(`delivery ${delivery.id}: attempt ${n + 1} came without a slot`);
      }
      for (let n = 1; n < received.length; n++) {
        const gapMs = received[n]!.atMs - received[n - 1]!.atMs;
        // If an attempt between the two never reached the receiver, the gap is longer.
        if (gapMs < WEBHOOK_LIMITS.webhookRetryDelaysMs[n - 1]! - world.machine.skewMsMax)
          faults.push(`delivery ${delivery.id}: attempt ${n + 1} after ${gapMs} ms`);
      }
      if (new Set(received.map(({ body }) => body)).size > 1) faults.push(`delivery ${delivery.id}: the body changed`);
    }
  return faults;
};

/**
 * Slots are released in time; if a worker died or a request came late, a slot may lapse. Deliveries that need a slot
 * reach their end, which proves that no slot stays taken forever.
 */
export const placesAreTrue: Check = (world) => {
  if (world.machine.wasHit(WORKERS, ['twice', 'conflict'])) return [];
  const lapsed = [...world.watch.lapsed].map((id) => `the slot of attempt ${id} lapsed without a fault`);
  const left = world.endpoints.flatMap((endpoint) => {
    const slots = world.table.find(keys.webhookSlots(world.organizationId, endpoint));
    const taken = (slots?.in_flight as Set<string> | undefined)?.size ?? 0;
    return taken > 0 ? [`endpoint ${endpoint}: ${taken} slots taken without a fault`] : [];
  });
  return [...lapsed, ...left];
};

/** A success after the last failure resets the count to zero. */
export const failuresAreForgotten: Check = (world) =>
  [...world.watch.forgiven].flatMap((endpoint) => {
    const failures = world.table.find(keys.webhookEndpoint(world.organizationId, endpoint))?.failures_in_row;
    return failures === 0 ? [] : [`endpoint ${endpoint}: ${failures} failures in a row after a success`];
  });

/**
 * Webhook deliveries and the places of their attempts in flight. Every write is conditional on the hop it was decided
 * by: a worker that lost its delivery to another one, or to the sweeper, gets `DeliveryMoved`.
 */

import {
  type Delivery,
  type DeliverySchedule,
  type DeliveryStatus,
  type EventType,
  type Failure,
  stop,
} from '#shared/domain/delivery.ts';
import { nowMs, nowSeconds } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { inParallel } from './batches.ts';
import { dueEntry, keys } from './keys.ts';
import * as table from './table.ts';
import { type EndpointWithSecret, withSecret } from './webhooks.ts';

export const SCHEDULE: DeliverySchedule = {
  attemptsMax: LIMITS.webhookAttemptsMax,
  retryDelaysMs: LIMITS.webhookRetryDelaysMs,
  claimMs: LIMITS.webhookClaimMs,
  graceMs: LIMITS.messageGraceMs,
};

export const RETENTION_SECONDS = LIMITS.retentionDays * 86_400;

/** Somebody else moved the delivery meanwhile: what was decided for it is void. */
export class DeliveryMoved extends Error {}

/** As many attempts of the endpoint are in flight as there may be. */
export class EndpointBusy extends Error {}

const keyOf = (delivery: Pick<Delivery, 'organizationId' | 'endpointId' | 'id'>) =>
  keys.delivery(delivery.organizationId, delivery.endpointId, delivery.id);

const changing = (delivery: Delivery) => ({
  status: delivery.status,
  attempts: delivery.attempts,
  hop: delivery.hop,
  due_at: delivery.dueAt,
  look_at: delivery.lookAt,
  resend: delivery.resend,
  response_status: delivery.responseStatus,
  failure: delivery.failure,
  error: delivery.error,
  last_attempt_at: delivery.lastAttemptAt,
});

const fromItem = (item: table.Item): Delivery => ({
  organizationId: item.organization_id,
  endpointId: item.endpoint_id,
  id: item.id,
  eventId: item.event_id,
  eventType: item.event_type as EventType,
  status: item.status as DeliveryStatus,
  attempts: item.attempts,
  hop: item.hop,
  dueAt: item.due_at,
  lookAt: item.look_at,
  resend: item.resend,
  responseStatus: item.response_status,
  failure: item.failure as Failure | null,
  error: item.error,
  lastAttemptAt: item.last_attempt_at,
  createdAt: item.created_at,
});

/** TTL removes an item days late: until then it is passed over. */
const isKept = (item: table.Item): boolean => (item.expires_at_epoch as number) > nowSeconds();

/** A new delivery, for the transaction that closes its run. */
export const creation = (delivery: Delivery): table.TransactItem => {
  const key = keyOf(delivery);
  return {
    put: {
      ...key,
      ...dueEntry(key, delivery.lookAt ?? delivery.createdAt),
      ...changing(delivery),
      organization_id: delivery.organizationId,
      endpoint_id: delivery.endpointId,
      id: delivery.id,
      event_id: delivery.eventId,
      event_type: delivery.eventType,
      created_at: delivery.createdAt,
      expires_at_epoch: Math.floor(Date.parse(delivery.createdAt) / 1000) + RETENTION_SECONDS,
    },
    if: 'attribute_not_exists(pk)',
  };
};

const move = (before: Delivery, after: Delivery) => {
  const key = keyOf(before);
  const due = after.lookAt === null ? {} : dueEntry(key, after.lookAt);
  return {
    update: key,
    set: { ...changing(after), ...due },
    ...(after.lookAt === null ? { remove: ['due_pk', 'due_sk'] } : {}),
    if: '#hop = :hop AND #status = :was',
    values: { hop: before.hop, was: before.status },
    otherwise: () => new DeliveryMoved(),
  };
};

export const find = async (
  organizationId: string,
  endpointId: string,
  deliveryId: string,
): Promise<Delivery | undefined> => {
  const item = await table.get(keys.delivery(organizationId, endpointId, deliveryId));
  return item && isKept(item) ? fromItem(item) : undefined;
};

/** The newest 1,000, newest created first: ids are UUIDv7, so that their order is the order of creation. */
export const listNewest = async (organizationId: string, endpointId: string): Promise<Delivery[]> => {
  const { pk, prefix } = keys.deliveries(organizationId, endpointId);
  const items = await table.query(pk, { prefix, descending: true, limit: LIMITS.deliveriesListedMax });
  return items.filter(isKept).map(fromItem);
};

/** Throws `DeliveryMoved`, or what an item of `also` names. */
export const advance = async (
  before: Delivery,
  after: Delivery,
  also: readonly table.TransactItem[] = [],
): Promise<void> => table.transact([move(before, after), ...also]);

/**
 * Records an attempt before it is made, and takes one of the endpoint's places in flight. The place is given back with
 * the outcome; after a crash, when the sweeper closes the attempt. Both are part of the transaction that moves the
 * delivery, so that the set of places cannot drift from the deliveries. Throws `DeliveryMoved`, `EndpointBusy`, or
 * what `endpointAsRead` names.
 */
export const claimAttempt = async (
  before: Delivery,
  after: Delivery,
  endpointAsRead: table.TransactItem,
): Promise<void> =>
  table.transact([
    move(before, after),
    {
      update: keys.webhookSlots(before.organizationId, before.endpointId),
      add: { in_flight: new Set([before.id]) },
      // Nobody deletes the places of a deleted endpoint.
      set: { expires_at_epoch: nowSeconds() + RETENTION_SECONDS },
      if: 'attribute_not_exists(#in_flight) OR size(#in_flight) < :slow OR (size(#in_flight) < :max AND attribute_not_exists(#is_slow))',
      values: { max: LIMITS.webhookInFlightPerEndpointMax, slow: LIMITS.webhookInFlightPerSlowEndpointMax },
      otherwise: () => new EndpointBusy(),
    },
    endpointAsRead,
  ]);

/**
 * Gives the place back, for the transaction of the outcome. An endpoint that let an attempt time out is slow, and has
 * fewer places, until it ends one in time: ten that hang would else hold every worker there is.
 */
export const placeBack = (after: Delivery): table.TransactItem => ({
  update: keys.webhookSlots(after.organizationId, after.endpointId),
  take: { in_flight: new Set([after.id]) },
  ...(after.failure === 'timeout' ? { set: { is_slow: true } } : {}),
  ...(after.failure === 'timeout' || after.failure === 'interrupted' ? {} : { remove: ['is_slow'] }),
});

/** What a worker decides by whose message says that a delivery is due. */
export interface Turn {
  delivery: Delivery | undefined;
  /**
   * Has its endpoint no place left? A look before the claim: whoever waits behind a slow receiver asks often, and a
   * refused claim costs ten times as much.
   */
  isBusy: boolean;
  found: EndpointWithSecret | undefined;
}

/** In one request: three of them were a sixth of what a delivery computes. */
export const findTurn = async (organizationId: string, endpointId: string, deliveryId: string): Promise<Turn> => {
  const wanted = [
    keys.delivery(organizationId, endpointId, deliveryId),
    keys.webhookSlots(organizationId, endpointId),
    keys.webhookEndpoint(organizationId, endpointId),
  ];
  const items = await table.batchGet(wanted);
  const [item, slots, endpoint] = wanted.map(({ pk, sk }) => items.find((each) => each.pk === pk && each.sk === sk));
  const inFlight = (slots?.in_flight as ReadonlySet<string> | undefined)?.size ?? 0;
  const { webhookInFlightPerEndpointMax, webhookInFlightPerSlowEndpointMax } = LIMITS;
  return {
    delivery: item && isKept(item) ? fromItem(item) : undefined,
    isBusy: inFlight >= (slots?.is_slow ? webhookInFlightPerSlowEndpointMax : webhookInFlightPerEndpointMax),
    found: endpoint && withSecret(endpoint),
  };
};

/**
 * `advance` for a delivery that goes on waiting: one plain write, half a transaction's units. Where its answer was lost and
 * the SDK writes again, it is refused as `DeliveryMoved` and the sweeper sends the message.
 */
export const putOff = async (before: Delivery, after: Delivery): Promise<void> => {
  const { update: key, ...change } = move(before, after);
  await table.update(key, change);
};

/**
 * Ends what waits for an endpoint that was disabled or deleted. What it misses, because there is more than is listed or
 * because the process dies, is ended by the worker when its turn comes.
 */
export const stopWaiting = async (organizationId: string, endpointId: string, reason: string): Promise<void> => {
  const waiting = (await listNewest(organizationId, endpointId)).filter(({ status }) => status === 'pending');
  await inParallel(waiting, LIMITS.tableParallelMax, async (delivery) => {
    await advance(delivery, stop(delivery, reason)).catch(ignoreMoved);
  });
};

const ignoreMoved = (error: unknown): void => {
  if (!(error instanceof DeliveryMoved)) throw error;
};

/**
 * When the sweeper looks again at a delivery that it just sent a message for. Ever later, so that a long queue is not made
 * longer; but soon enough where message after message is lost (`npm run faults -- --replay 76334`: a delay of hours).
 */
export const nextLookMs = (delivery: Delivery): number => {
  const overdueMs = delivery.dueAt === null ? 0 : nowMs() - Date.parse(delivery.dueAt);
  return nowMs() + Math.min(LIMITS.webhookReminderMaxMs, Math.max(LIMITS.messageGraceMs, overdueMs));
};

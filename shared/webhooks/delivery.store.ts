/**
 * Webhook deliveries. Every write is conditional on the generation that was read. A worker that lost its delivery to
 * another worker or the sweeper gets `DeliveryConflict`.
 */

import * as z from 'zod';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { lastIdAt } from '#shared/platform/ids.ts';
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { DUE_ATTRIBUTES } from '#shared/table/due-index.ts';
import { dueEntry } from '#shared/table/due-keys.ts';
import { bytes, item } from '#shared/table/item.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { isExpired } from '#shared/table/ttl.ts';
import { AppError, VersionConflict } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { storeLast } from './attempt.store.ts';
import * as concurrency from './concurrency.store.ts';
import {
  type Delivery,
  type DeliveryMessage,
  type DeliverySchedule,
  DeliverySchema,
  stop,
  waitsForFirst,
} from './delivery.rules.ts';
import type { WebhookEndpoint } from './endpoint.rules.ts';
import { type EndpointWithSecret, withSecret } from './endpoint.store.ts';
import { unpackBody } from './event-body.ts';

export const SCHEDULE: DeliverySchedule = {
  attemptsMax: WEBHOOK_LIMITS.webhookAttemptsMax,
  retryDelaysMs: WEBHOOK_LIMITS.webhookRetryDelaysMs,
  claimMs: WEBHOOK_LIMITS.webhookClaimMs,
  graceMs: MESSAGING_LIMITS.messageGraceMs,
};

/** The delivery moved in the meantime, so the caller's decision is void. */
export class DeliveryConflict extends VersionConflict {}
/** The delivery exists: an earlier call wrote it, but its response was lost. */
export class DeliveryExists extends AppError {}

const keyOf = (delivery: Pick<Delivery, 'organizationId' | 'endpointId' | 'id'>) =>
  keys.delivery(delivery.organizationId, delivery.endpointId, delivery.id);

export const deliveryItem = item('delivery', DeliverySchema, {
  names: { generation: 'hop', nextCheckAt: 'look_at', tookMs: 'took' },
  absent: ['attemptId', 'tookMs'],
});

/** The body that every attempt sends, in the form of `packBody`. Written once. */
export const deliveryBodyItem = item('delivery body', z.object({ body: bytes() }));

/**
 * Returns the item of a new delivery, for the transaction that closes its run.
 * @param body the packed body
 */
export const putDelivery = (delivery: Delivery, body: Uint8Array): table.TransactItem => {
  const key = keyOf(delivery);
  return {
    put: {
      ...key,
      ...dueEntry(key, delivery.nextCheckAt ?? delivery.createdAt),
      ...deliveryItem.toItem(delivery),
      ...deliveryBodyItem.toItem({ body }),
      expires_at_epoch: Math.floor(Date.parse(delivery.createdAt) / 1000) + RETENTION_SECONDS,
    },
    if: 'attribute_not_exists(pk)',
    otherwise: (): Error => new DeliveryExists(),
  };
};

/**
 * Returns the update that moves a delivery. It writes only changed attributes, on the condition that generation and
 * status are still the values of `before`.
 * @param keepsEntry true to leave the due entry, which is early enough; writing it costs as much as writing the item
 */
const move = (before: Delivery, after: Delivery, keepsEntry = false) => {
  const key = keyOf(before);
  const due = after.nextCheckAt === null || keepsEntry ? {} : dueEntry(key, after.nextCheckAt);
  const [was, is] = [deliveryItem.toItem(before), deliveryItem.toItem(after)];
  const changed = Object.entries(is).filter(([name, value]) => value !== was[name]);
  const gone = Object.keys(was).filter((name) => !(name in is));
  return {
    update: key,
    set: { ...Object.fromEntries(changed), ...due },
    remove: [...gone, ...(after.nextCheckAt === null ? DUE_ATTRIBUTES : [])],
    if: '#hop = :generation AND #status = :was',
    values: { generation: before.generation, was: before.status },
    otherwise: (): Error => new DeliveryConflict(),
  };
};

type Move = ReturnType<typeof move>;

/**
 * Writes one move of an attempt as a plain write, at half the cost of a transaction. In a transaction, a token makes an
 * SDK retry harmless; in this write, the attempt's id has the same effect. If the first request succeeded and its
 * response was lost, the retry finds its own id and generation, and writes the same values again.
 */
const moveOnce = async ({ update: key, ...change }: Move, after: Delivery): Promise<void> => {
  await table.update(key, {
    ...change,
    if: `(${change.if}) OR (#hop = :next AND #attempt_id = :attempt)`,
    values: { ...change.values, next: after.generation, attempt: after.attemptId },
  });
};

const findItem = async (
  organizationId: OrganizationId,
  endpointId: string,
  deliveryId: string,
): Promise<table.Item | undefined> => {
  const found = await table.get(keys.delivery(organizationId, endpointId, deliveryId));
  return found && !isExpired(found) ? found : undefined;
};

export const find = async (...named: Parameters<typeof findItem>): Promise<Delivery | undefined> => {
  const found = await findItem(...named);
  return found && deliveryItem.fromItem(found);
};

/** Returns the delivery with the body that every attempt sends. */
export const findWithBody = async (
  ...named: Parameters<typeof findItem>
): Promise<{ delivery: Delivery; body: Uint8Array } | undefined> => {
  const found = await findItem(...named);
  return found && { delivery: deliveryItem.fromItem(found), body: unpackBody(deliveryBodyItem.fromItem(found).body) };
};

/**
 * Returns the newest 1,000 deliveries, newest creation first. Ids are UUIDv7, so their order is the order of creation.
 */
export const listNewest = async (organizationId: OrganizationId, endpointId: string): Promise<Delivery[]> => {
  const { pk, prefix } = keys.deliveries(organizationId, endpointId);
  const items = await table.query(pk, { prefix, descending: true, limit: WEBHOOK_LIMITS.deliveriesListedMax });
  return items.filter((found) => !isExpired(found)).map(deliveryItem.fromItem);
};

/**
 * True if a first attempt that was due before this retry waits for a slot. Ids are UUIDv7, so deliveries created later
 * are not read.
 */
export const isFirstWaiting = async (retry: Delivery): Promise<boolean> => {
  const { pk, prefix } = keys.deliveries(retry.organizationId, retry.endpointId);
  const to = keys.delivery(retry.organizationId, retry.endpointId, lastIdAt(Date.parse(retry.dueAt!))).sk;
  const range = { from: prefix, to, descending: true, limit: WEBHOOK_LIMITS.deliveriesListedMax, consistent: false };
  for await (const items of table.queryPages(pk, range))
    if (items.some((found) => !isExpired(found) && waitsForFirst(deliveryItem.fromItem(found)))) return true;
  return false;
};

/**
 * Moves a delivery, in one transaction with the items of `also`.
 * @throws DeliveryConflict or the error that an item of `also` names
 */
export const advance = async (
  before: Delivery,
  after: Delivery,
  also: readonly table.TransactItem[] = [],
): Promise<void> => table.transact([move(before, after), ...also]);

/**
 * Takes a slot for an attempt, stores the attempt before it, and then records the attempt, before it is made. If the
 * due entry is early enough, it stays: the sweeper checks the item itself, and most attempts end before the entry is
 * due. A reminder moves the entry without a new generation, so the claim is conditional on the entry that was read.
 *
 * @throws ClaimConflict
 */
export const claimAttempt = async (before: Delivery, after: Delivery, endpoint: WebhookEndpoint): Promise<void> => {
  await concurrency.acquireSlot(after, endpoint);
  const keepsEntry =
    before.nextCheckAt !== null && after.nextCheckAt !== null && before.nextCheckAt <= after.nextCheckAt;
  const moved = move(before, after, keepsEntry);
  const seen = keepsEntry
    ? { if: `${moved.if} AND #look_at = :look_at`, values: { ...moved.values, look_at: before.nextCheckAt } }
    : {};
  try {
    await storeLast(before);
    await moveOnce({ ...moved, ...seen, otherwise: () => new concurrency.ClaimConflict() }, after);
  } catch (error) {
    if (error instanceof concurrency.ClaimConflict) await concurrency.dropSlot(after);
    throw error;
  }
};

/**
 * Records how a claimed attempt ended.
 *
 * @throws DeliveryConflict if the sweeper closed the attempt
 */
export const endAttempt = (claimed: Delivery, after: Delivery): Promise<void> => moveOnce(move(claimed, after), after);

/** Data that a worker needs to decide about a due delivery. */
export interface DeliveryContext {
  delivery: Delivery | undefined;
  /** True if the delivery's endpoint has no free slot. */
  isBusy: boolean;
  /** True if other deliveries may be waiting for a slot. */
  isScarce: boolean;
  /** Ids of attempts whose slots were not released in time. */
  lapsed: readonly string[];
  found: EndpointWithSecret | undefined;
  /** The body to send. Undefined if the delivery does not exist. */
  body: Uint8Array | undefined;
}

/** The ids in a message that identify a delivery. */
export type Wanted = Pick<DeliveryMessage, 'organizationId' | 'endpointId' | 'deliveryId'>;

const keysOf = ({ organizationId, endpointId, deliveryId }: Wanted): Key[] => [
  keys.delivery(organizationId, endpointId, deliveryId),
  keys.webhookSlots(organizationId, endpointId),
  keys.webhookEndpoint(organizationId, endpointId),
];

const idOf = ({ pk, sk }: Key): string => `${pk}|${sk}`;

/**
 * Reads the data for all messages of a batch in one request, each item once. Requests are most of the compute cost of a
 * delivery.
 */
export const loadContexts = async (wanted: readonly Wanted[]): Promise<DeliveryContext[]> => {
  const all = new Map(wanted.flatMap(keysOf).map((key) => [idOf(key), key]));
  const items = new Map((await table.batchGet([...all.values()])).map((item) => [idOf(item), item]));
  return wanted.map((each) => {
    const [item, slots, endpoint] = keysOf(each).map((key) => items.get(idOf(key)));
    const found = item && !isExpired(item) ? item : undefined;
    return {
      delivery: found && deliveryItem.fromItem(found),
      isBusy: concurrency.isSaturated(slots),
      isScarce: concurrency.isNearlySaturated(slots),
      lapsed: concurrency.lapsedSlots(slots),
      found: endpoint && withSecret(endpoint),
      body: found && unpackBody(deliveryBodyItem.fromItem(found).body),
    };
  });
};

/**
 * Does the same as `advance` for a delivery that keeps waiting, with one plain write at half the cost of a transaction.
 * If the response of the write is lost and the SDK repeats the write, the repeat fails with `DeliveryConflict` and the
 * sweeper sends the message.
 */
export const deferDelivery = async (before: Delivery, after: Delivery): Promise<void> => {
  const { update: key, ...change } = move(before, after);
  await table.update(key, change);
};

/**
 * Ends a waiting delivery without another attempt.
 *
 * @throws DeliveryConflict
 */
export const stopDelivery = async (delivery: Delivery, reason: string): Promise<void> => {
  await storeLast(delivery);
  await advance(delivery, stop(delivery, reason));
};

/**
 * Ends waiting deliveries of an endpoint that was disabled or deleted. If the endpoint has more deliveries than are
 * listed, or the process dies, a worker ends the other deliveries when they are due.
 */
export const stopWaiting = async (
  organizationId: OrganizationId,
  endpointId: string,
  reason: string,
): Promise<void> => {
  const waiting = (await listNewest(organizationId, endpointId)).filter(
    ({ status, isTest }) => status === 'pending' && !isTest,
  );
  await forEachConcurrent(waiting, TABLE_LIMITS.tableParallelMax, async (delivery) => {
    await stopDelivery(delivery, reason).catch(ignoreMoved);
  });
};

const ignoreMoved = (error: unknown): void => {
  if (!(error instanceof DeliveryConflict)) throw error;
};

/**
 * Returns when the sweeper checks a delivery again after sending its message. The interval grows so that reminders do
 * not make a long queue longer, but stays short enough if messages are lost repeatedly (`npm run faults -- --replay
 * 76334`: a delay of hours).
 */
export const recheckAtMs = (delivery: Delivery): number => {
  const overdueMs = delivery.dueAt === null ? 0 : nowMs() - Date.parse(delivery.dueAt);
  return nowMs() + Math.min(WEBHOOK_LIMITS.webhookReminderMaxMs, Math.max(MESSAGING_LIMITS.messageGraceMs, overdueMs));
};

/**
 * Webhook deliveries. Every write is conditional on the generation it was decided by: a worker that lost its delivery to another
 * one, or to the sweeper, gets `DeliveryConflict`.
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
import { VersionConflict } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
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

/** Somebody else moved the delivery meanwhile: what was decided for it is void. */
export class DeliveryConflict extends VersionConflict {}

const keyOf = (delivery: Pick<Delivery, 'organizationId' | 'endpointId' | 'id'>) =>
  keys.delivery(delivery.organizationId, delivery.endpointId, delivery.id);

export const deliveryItem = item('delivery', DeliverySchema, {
  names: { generation: 'hop', nextCheckAt: 'look_at' },
  absent: ['attemptId'],
});

/** What each of its attempts sends, as `packBody` made it. Written once. */
export const deliveryBodyItem = item('delivery body', z.object({ body: bytes() }));

/** A new delivery, for the transaction that closes its run. @param body packed */
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
  };
};

/**
 * Only what is another now: what it was before is known by its generation.
 * @param keepsEntry the due index has one that is early enough: each write of it costs as much as the item's
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
 * A move of an attempt as one plain write: half a transaction's units. A transaction's token makes the SDK's retry harmless;
 * here the attempt's id does. Where the first request was done and its answer lost, the second finds the generation that
 * it was to make, under its own id, and writes the same again.
 */
const moveOnce = async ({ update: key, ...change }: Move, after: Delivery): Promise<void> => {
  await table.update(key, {
    ...change,
    if: `(${change.if}) OR (#hop = :next AND #attempt_id = :attempt)`,
    values: { ...change.values, next: after.generation, attempt: after.attemptId },
  });
};

export const find = async (
  organizationId: OrganizationId,
  endpointId: string,
  deliveryId: string,
): Promise<Delivery | undefined> => {
  const found = await table.get(keys.delivery(organizationId, endpointId, deliveryId));
  return found && !isExpired(found) ? deliveryItem.fromItem(found) : undefined;
};

/** The newest 1,000, newest created first: ids are UUIDv7, so that their order is the order of creation. */
export const listNewest = async (organizationId: OrganizationId, endpointId: string): Promise<Delivery[]> => {
  const { pk, prefix } = keys.deliveries(organizationId, endpointId);
  const items = await table.query(pk, { prefix, descending: true, limit: WEBHOOK_LIMITS.deliveriesListedMax });
  return items.filter((found) => !isExpired(found)).map(deliveryItem.fromItem);
};

/**
 * Does a first attempt that was due before this delivery's retry wait for a place? Ids are UUIDv7, so that nothing is
 * read of what was created after.
 */
export const isFirstWaiting = async (retry: Delivery): Promise<boolean> => {
  const { pk, prefix } = keys.deliveries(retry.organizationId, retry.endpointId);
  const to = keys.delivery(retry.organizationId, retry.endpointId, lastIdAt(Date.parse(retry.dueAt!))).sk;
  const range = { from: prefix, to, descending: true, limit: WEBHOOK_LIMITS.deliveriesListedMax, consistent: false };
  for await (const items of table.queryPages(pk, range))
    if (items.some((found) => !isExpired(found) && waitsForFirst(deliveryItem.fromItem(found)))) return true;
  return false;
};

/** Throws `DeliveryConflict`, or what an item of `also` names. */
export const advance = async (
  before: Delivery,
  after: Delivery,
  also: readonly table.TransactItem[] = [],
): Promise<void> => table.transact([move(before, after), ...also]);

/**
 * Takes a place for an attempt, then records it: before it is made. The entry of the due index stays where it is not later
 * than the sweeper is to look: he looks at the item itself, and most attempts end before he comes. A reminder moves the
 * entry and leaves the generation, so that such a claim is for the entry that was seen. Throws `ClaimConflict`.
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
    await moveOnce({ ...moved, ...seen, otherwise: () => new concurrency.ClaimConflict() }, after);
  } catch (error) {
    if (error instanceof concurrency.ClaimConflict) await concurrency.dropSlot(after);
    throw error;
  }
};

/** Records how a claimed attempt ended. Throws `DeliveryConflict` where the sweeper closed it. */
export const endAttempt = (claimed: Delivery, after: Delivery): Promise<void> => moveOnce(move(claimed, after), after);

/** What a worker decides by whose message says that a delivery is due. */
export interface DeliveryContext {
  delivery: Delivery | undefined;
  /** Has its endpoint no place left? */
  isBusy: boolean;
  /** May others wait for one? */
  isScarce: boolean;
  /** Places that nobody gave back. */
  lapsed: readonly string[];
  found: EndpointWithSecret | undefined;
  /** What is sent. Undefined where there is no delivery. */
  body: Uint8Array | undefined;
}

/** What a message says of whose turn it is. */
export type Wanted = Pick<DeliveryMessage, 'organizationId' | 'endpointId' | 'deliveryId'>;

const keysOf = ({ organizationId, endpointId, deliveryId }: Wanted): Key[] => [
  keys.delivery(organizationId, endpointId, deliveryId),
  keys.webhookSlots(organizationId, endpointId),
  keys.webhookEndpoint(organizationId, endpointId),
];

const idOf = ({ pk, sk }: Key): string => `${pk}|${sk}`;

/** In one request for all messages of a batch, each item once: requests are most of what a delivery computes. */
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
 * `advance` for a delivery that goes on waiting: one plain write, half a transaction's units. Where its answer was lost and
 * the SDK writes again, it is refused as `DeliveryConflict` and the sweeper sends the message.
 */
export const deferDelivery = async (before: Delivery, after: Delivery): Promise<void> => {
  const { update: key, ...change } = move(before, after);
  await table.update(key, change);
};

/**
 * Ends what waits for an endpoint that was disabled or deleted. What it misses, because there is more than is listed or
 * because the process dies, is ended by the worker when its turn comes.
 */
export const stopWaiting = async (
  organizationId: OrganizationId,
  endpointId: string,
  reason: string,
): Promise<void> => {
  const waiting = (await listNewest(organizationId, endpointId)).filter(({ status }) => status === 'pending');
  await forEachConcurrent(waiting, TABLE_LIMITS.tableParallelMax, async (delivery) => {
    await advance(delivery, stop(delivery, reason)).catch(ignoreMoved);
  });
};

const ignoreMoved = (error: unknown): void => {
  if (!(error instanceof DeliveryConflict)) throw error;
};

/**
 * When the sweeper looks again at a delivery that it just sent a message for. Ever later, so that a long queue is not made
 * longer; but soon enough where message after message is lost (`npm run faults -- --replay 76334`: a delay of hours).
 */
export const recheckAtMs = (delivery: Delivery): number => {
  const overdueMs = delivery.dueAt === null ? 0 : nowMs() - Date.parse(delivery.dueAt);
  return nowMs() + Math.min(WEBHOOK_LIMITS.webhookReminderMaxMs, Math.max(MESSAGING_LIMITS.messageGraceMs, overdueMs));
};

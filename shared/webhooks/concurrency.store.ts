/**
 * The slots of an endpoint: which attempts are in flight, and the facts about the endpoint that an attempt needs when
 * it begins and ends. All slots of an endpoint are one item in the endpoint's own partition. The item is written before
 * an attempt is claimed and after the attempt ended. So neither write touches the item of the endpoint itself, which is
 * in the organization's single partition.
 *
 * A slot only limits how many attempts run at a time, and the delivery records the attempt. So a plain write before the
 * claim takes the slot, and a plain write before the outcome releases it. Each slot has the id of its attempt, so a
 * repeated request changes nothing. The id contains the start time, so a slot that was not released expires
 * (docs/adr/0027).
 */

import * as z from 'zod';
import { nowMs } from '#shared/platform/clock.ts';
import { madeAtMs } from '#shared/platform/ids.ts';
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import type { Change } from '#shared/table/expressions.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import { VersionConflict } from '#shared/values/app-error.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import type { Delivery } from './delivery.rules.ts';
import type { WebhookEndpoint } from './endpoint.rules.ts';

/**
 * A revision that no endpoint reaches. With this revision, no worker that still uses a deleted endpoint gets a slot.
 */
const DELETED = Number.MAX_SAFE_INTEGER;

/** No slot is free, or the delivery or its endpoint changed after they were read. The caller reads both again. */
export class ClaimConflict extends VersionConflict {}
/** A delivery of the endpoint may have failed since the last check. */
export class FailuresUnknown extends VersionConflict {}
/** The slot was already released, by the sweeper or by a repeated request. */
class SlotGone extends VersionConflict {}

type EndpointId = Pick<WebhookEndpoint, 'organizationId' | 'id'>;

export const slotsItem = item(
  'webhook slots',
  z.object({
    /** Ids of the attempts in flight. */
    inFlight: z.array(z.string()),
    isSlow: z.boolean().optional(),
    hasFailures: z.boolean().optional(),
    revision: z.number().optional(),
  }),
  { sets: ['inFlight'] },
);

/** Returns the TTL of the item, because the slots of a deleted endpoint are removed only by their TTL. */
const expiry = () => expiresIn(RETENTION_SECONDS);

const keyOf = ({ organizationId, endpointId }: Pick<Delivery, 'organizationId' | 'endpointId'>) =>
  keys.webhookSlots(organizationId, endpointId);

/** Returns the slot of a claimed delivery: the id of its attempt. */
const placeOf = ({ attemptId }: Delivery): ReadonlySet<string> => new Set([attemptId!]);

/** Condition that the attempt holds its slot. */
const IS_TAKEN = 'contains(#in_flight, :attempt)';

/**
 * Takes a slot for an attempt. Fails if url, secret or `enabled` of the endpoint changed after the endpoint was read.
 * If the SDK repeats the request, this attempt already holds the slot and the call succeeds.
 *
 * @throws ClaimConflict
 */
export const acquireSlot = async (
  claimed: Delivery,
  { revision }: Pick<WebhookEndpoint, 'revision'>,
): Promise<void> => {
  await table.update(keyOf(claimed), {
    add: { in_flight: placeOf(claimed) },
    set: expiry(),
    // `<=` instead of `=`, because the revision is absent until the endpoint changes for the first time.
    if: `${IS_TAKEN} OR ((attribute_not_exists(#revision) OR #revision <= :revision)
      AND (attribute_not_exists(#in_flight) OR size(#in_flight) < :slow
        OR (size(#in_flight) < :max AND attribute_not_exists(#is_slow))))`,
    values: {
      attempt: claimed.attemptId,
      revision,
      max: WEBHOOK_LIMITS.webhookInFlightPerEndpointMax,
      slow: WEBHOOK_LIMITS.webhookInFlightPerSlowEndpointMax,
    },
    otherwise: () => new ClaimConflict(),
  });
};

/**
 * Releases the slot. Does nothing if the slot is already released, because the write that released the slot also stored
 * the facts about the endpoint.
 */
const giveBack = async (claimed: Delivery, change: Change & table.ConditionRefusal = {}): Promise<void> => {
  try {
    await table.update(keyOf(claimed), {
      take: { in_flight: placeOf(claimed) },
      if: IS_TAKEN,
      values: { attempt: claimed.attemptId },
      otherwise: () => new SlotGone(),
      ...change,
    });
  } catch (error) {
    if (!(error instanceof SlotGone)) throw error;
  }
};

/** Releases the slot of an attempt that was not made. */
export const dropSlot = (claimed: Delivery): Promise<void> => giveBack(claimed);

/**
 * Returns whether the endpoint is slow after an attempt. After a timeout the endpoint is slow and has fewer slots until
 * an attempt ends in time. Otherwise ten hanging attempts could occupy every worker.
 */
const paceAfter = ({ failure }: Delivery): { isSlow: true | undefined; remove: string[] } => {
  const isSlow = failure === 'timeout';
  return { isSlow: isSlow || undefined, remove: isSlow || failure === 'interrupted' ? [] : ['is_slow'] };
};

/**
 * Releases the slot after an attempt that does not change its endpoint. A success, except of a test, also checks that no
 * failure was counted since the endpoint was read: each failure sets `has_failures`.
 *
 * @throws FailuresUnknown if a failure may have been counted
 */
export const releaseSlot = (claimed: Delivery, after: Delivery): Promise<void> => {
  const { isSlow, remove } = paceAfter(after);
  const change = { set: slotsItem.toChanges({ isSlow }), remove };
  if (after.status !== 'delivered' || after.isTest) return giveBack(claimed, change);
  return giveBack(claimed, {
    ...change,
    if: `${IS_TAKEN} AND attribute_not_exists(#has_failures)`,
    otherwise: () => new FailuresUnknown(),
  });
};

/** The effect of an outcome on its endpoint. */
export interface FailureCount {
  /**
   * Change of the number of failed deliveries in a row. `more` adds one, `none` resets the number, and with `as they
   * were` the number stays as far as known.
   */
  failures: 'more' | 'none' | 'as they were';
  /** The endpoint's new revision if the outcome disabled the endpoint. */
  revision?: number | undefined;
}

/**
 * Returns the item that releases the slot, for the transaction of an outcome that changes the endpoint or that the
 * sweeper records.
 */
export const releasedSlot = (
  claimed: Delivery,
  after: Delivery,
  { failures, revision }: FailureCount,
): table.TransactItem => {
  const { isSlow, remove } = paceAfter(after);
  return {
    update: keyOf(claimed),
    take: { in_flight: placeOf(claimed) },
    set: slotsItem.toChanges({ isSlow, hasFailures: failures === 'more' || undefined, revision }),
    remove: [...remove, ...(failures === 'none' ? ['has_failures'] : [])],
  };
};

/**
 * Returns an item for the transaction that changes url, secret or `enabled`. Attempts that read the earlier values then
 * get no slot.
 */
export const told = ({ organizationId, id }: EndpointId, revision: number): table.TransactItem => ({
  update: keys.webhookSlots(organizationId, id),
  set: { revision, ...expiry() },
});

/** Returns an item for the transaction that deletes the endpoint. */
export const toldDeleted = (endpoint: EndpointId): table.TransactItem => told(endpoint, DELETED);

/** True if the slot has expired. No attempt lasts this long, so the worker died or a late request took the slot. */
const isLapsed = (attemptId: string): boolean => nowMs() - madeAtMs(attemptId) >= WEBHOOK_LIMITS.webhookClaimMs;

const placesOf = (places: table.Item | undefined) => {
  const { isSlow = false, inFlight } = slotsItem.fromItem(places ?? {});
  return { isSlow, live: inFlight.filter((id) => !isLapsed(id)), lapsed: inFlight.filter(isLapsed) };
};

/** Returns the ids of attempts whose slots were not released in time. */
export const lapsedSlots = (places: table.Item | undefined): string[] => placesOf(places).lapsed;

/** Releases expired slots by attempt id, so that newer slots stay. */
export const dropLapsed = async (
  endpoint: Pick<Delivery, 'organizationId' | 'endpointId'>,
  lapsed: readonly string[],
): Promise<void> => {
  if (lapsed.length > 0) await table.update(keyOf(endpoint), { take: { in_flight: new Set(lapsed) } });
};

/**
 * True if other deliveries may be waiting for a slot. If no slot is taken, no delivery waits, except at a slow
 * endpoint: an attempt there holds the only slot until the attempt times out.
 */
export const isNearlySaturated = (places: table.Item | undefined): boolean => {
  const { isSlow, live } = placesOf(places);
  return isSlow || live.length > 0;
};

/**
 * True if no slot is free. Called before a claim, because many deliveries may wait for a slow receiver and a refused
 * claim costs more than a read.
 */
export const isSaturated = (places: table.Item | undefined): boolean => {
  const { isSlow, live } = placesOf(places);
  return (
    live.length >=
    (isSlow ? WEBHOOK_LIMITS.webhookInFlightPerSlowEndpointMax : WEBHOOK_LIMITS.webhookInFlightPerEndpointMax)
  );
};

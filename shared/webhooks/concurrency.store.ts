/**
 * The places of an endpoint: which of its attempts are in flight, and what an attempt must know of the endpoint when it
 * begins and ends. One item in the endpoint's own partition, written in every transaction that begins or ends an attempt,
 * so that neither of them needs the endpoint itself, which lies in the organization's one partition.
 */

import * as z from 'zod';
import { LIMITS, RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, TransactItem } from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import { VersionConflict } from '#shared/values/app-error.ts';
import type { Delivery } from './delivery.rules.ts';
import type { WebhookEndpoint } from './endpoint.rules.ts';

/** No endpoint has it: whoever read a deleted one is refused. */
const DELETED = Number.MAX_SAFE_INTEGER;

/** No place is left, or delivery or endpoint changed since they were read: read again. */
export class ClaimConflict extends VersionConflict {}
/** A delivery of the endpoint ended failed since somebody last made sure. */
export class FailuresUnknown extends VersionConflict {}

type Named = Pick<WebhookEndpoint, 'organizationId' | 'id'>;

export const slotsItem = item(
  'webhook slots',
  z.object({
    /** Ids of deliveries with an attempt under way. */
    inFlight: z.array(z.string()),
    isSlow: z.boolean().optional(),
    hasFailures: z.boolean().optional(),
    revision: z.number().optional(),
  }),
  { sets: ['inFlight'] },
);

/** Nobody deletes the places of a deleted endpoint. */
const expiry = () => expiresIn(RETENTION_SECONDS);

/**
 * Takes a place for an attempt at the endpoint as it was read: url, secret and `enabled` are what they were. The place is
 * given back with the outcome; after a crash, when the sweeper closes the attempt. Both are part of the transaction that
 * moves the delivery, so that the set of places cannot drift from the deliveries. Throws `ClaimConflict`.
 */
export const acquireSlot = (delivery: Delivery, { revision }: Pick<WebhookEndpoint, 'revision'>): TransactItem => ({
  update: keys.webhookSlots(delivery.organizationId, delivery.endpointId),
  add: { in_flight: new Set([delivery.id]) },
  set: expiry(),
  // Not older, in place of equal: the number is absent where no change was told since the item came to be.
  if: `(attribute_not_exists(#revision) OR #revision <= :revision)
    AND (attribute_not_exists(#in_flight) OR size(#in_flight) < :slow
      OR (size(#in_flight) < :max AND attribute_not_exists(#is_slow)))`,
  values: {
    revision,
    max: LIMITS.webhookInFlightPerEndpointMax,
    slow: LIMITS.webhookInFlightPerSlowEndpointMax,
  },
  otherwise: () => new ClaimConflict(),
});

/** What an outcome says of its endpoint. */
export interface Verdict {
  /** Deliveries in a row that ended failed: one more, none any more, or nothing is known to have changed. */
  failures: 'more' | 'none' | 'as they were';
  /** Its new revision, when this outcome disabled it. */
  revision?: number | undefined;
}

/**
 * Gives the place back, for the transaction of the outcome. An endpoint that let an attempt time out is slow, and has
 * fewer places, until it ends one in time: ten that hang would else hold every worker there is. `has_failures` is set with
 * every failure that is counted: without it, a success that read none before its attempt need not look at the endpoint
 * again. Throws `FailuresUnknown` where it must.
 */
export const releaseSlot = (after: Delivery, { failures, revision }: Verdict): TransactItem => {
  const isSlow = after.failure === 'timeout';
  const forgetsSlowness = !isSlow && after.failure !== 'interrupted';
  const set = slotsItem.toChanges({
    isSlow: isSlow || undefined,
    hasFailures: failures === 'more' || undefined,
    revision,
  });
  const remove = [...(forgetsSlowness ? ['is_slow'] : []), ...(failures === 'none' ? ['has_failures'] : [])];
  return {
    update: keys.webhookSlots(after.organizationId, after.endpointId),
    take: { in_flight: new Set([after.id]) },
    set,
    remove,
    ...(after.status === 'delivered' && failures === 'as they were'
      ? { if: 'attribute_not_exists(#has_failures)', otherwise: () => new FailuresUnknown() }
      : {}),
  };
};

/** For the transaction that changes url, secret or `enabled`: attempts that read what was before are refused a place. */
export const told = ({ organizationId, id }: Named, revision: number): TransactItem => ({
  update: keys.webhookSlots(organizationId, id),
  set: { revision, ...expiry() },
});

/** The same for the transaction that deletes it. */
export const toldDeleted = (endpoint: Named): TransactItem => told(endpoint, DELETED);

/** May somebody wait for a place? Not while none is taken, unless each attempt holds the one place until it times out. */
export const isNearlySaturated = (places: Item | undefined): boolean => {
  const { isSlow, inFlight } = slotsItem.fromItem(places ?? {});
  return isSlow === true || inFlight.length > 0;
};

/**
 * Is none left? A look before the claim: whoever waits behind a slow receiver asks often, and a refused claim costs ten
 * times as much.
 */
export const isSaturated = (places: Item | undefined): boolean => {
  const { isSlow, inFlight } = slotsItem.fromItem(places ?? {});
  return inFlight.length >= (isSlow ? LIMITS.webhookInFlightPerSlowEndpointMax : LIMITS.webhookInFlightPerEndpointMax);
};

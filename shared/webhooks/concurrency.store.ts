/**
 * The places of an endpoint: which of its attempts are in flight, and what an attempt must know of the endpoint when it
 * begins and ends. One item in the endpoint's own partition, written before an attempt is claimed and after it ended, so that
 * neither needs the endpoint itself, which lies in the organization's one partition.
 *
 * A place bounds how many attempts run at a time and records none: the delivery does that. So it may be taken by a plain
 * write before the claim, and given back by one before the outcome. Each is named after its attempt, whose id tells when it
 * began: a request that is sent again changes nothing, and a place that nobody gave back lapses (docs/adr/0027).
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

/** No endpoint has it: whoever read a deleted one is refused. */
const DELETED = Number.MAX_SAFE_INTEGER;

/** No place is left, or delivery or endpoint changed since they were read: read again. */
export class ClaimConflict extends VersionConflict {}
/** A delivery of the endpoint may have ended failed since somebody last made sure. */
export class FailuresUnknown extends VersionConflict {}
/** The place was given back before, by the sweeper or by a request that was sent twice. */
class SlotGone extends VersionConflict {}

type EndpointId = Pick<WebhookEndpoint, 'organizationId' | 'id'>;

export const slotsItem = item(
  'webhook slots',
  z.object({
    /** Ids of attempts under way. */
    inFlight: z.array(z.string()),
    isSlow: z.boolean().optional(),
    hasFailures: z.boolean().optional(),
    revision: z.number().optional(),
  }),
  { sets: ['inFlight'] },
);

/** Nobody deletes the places of a deleted endpoint. */
const expiry = () => expiresIn(RETENTION_SECONDS);

const keyOf = ({ organizationId, endpointId }: Pick<Delivery, 'organizationId' | 'endpointId'>) =>
  keys.webhookSlots(organizationId, endpointId);

/** The place of a claimed delivery, which names its attempt. */
const placeOf = ({ attemptId }: Delivery): ReadonlySet<string> => new Set([attemptId!]);

/** In conditions on a place's own attempt. */
const IS_TAKEN = 'contains(#in_flight, :attempt)';

/**
 * Takes a place for an attempt at the endpoint as it was read: url, secret and `enabled` are what they were. A request that
 * the SDK sends again finds the place taken by this very attempt, and has it. Throws `ClaimConflict`.
 */
export const acquireSlot = async (
  claimed: Delivery,
  { revision }: Pick<WebhookEndpoint, 'revision'>,
): Promise<void> => {
  await table.update(keyOf(claimed), {
    add: { in_flight: placeOf(claimed) },
    set: expiry(),
    // Not older, in place of equal: the number is absent where no change was told since the item came to be.
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

/** Does nothing where the place is given back already: whoever did that has said what there was to say. */
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

/** Of an attempt that was not made after all. */
export const dropSlot = (claimed: Delivery): Promise<void> => giveBack(claimed);

/**
 * What an end says of the endpoint's pace: one that let an attempt time out is slow, and has fewer places, until it ends one
 * in time. Ten that hang would else hold every worker there is.
 */
const paceAfter = ({ failure }: Delivery): { isSlow: true | undefined; remove: string[] } => {
  const isSlow = failure === 'timeout';
  return { isSlow: isSlow || undefined, remove: isSlow || failure === 'interrupted' ? [] : ['is_slow'] };
};

/**
 * Gives the place back after an attempt whose end changes nothing of its endpoint. A success that read no failures before
 * its attempt makes sure that none was counted since: `has_failures` is set with each. Throws `FailuresUnknown` where one
 * may have been.
 */
export const releaseSlot = (claimed: Delivery, after: Delivery): Promise<void> => {
  const { isSlow, remove } = paceAfter(after);
  const change = { set: slotsItem.toChanges({ isSlow }), remove };
  if (after.status !== 'delivered') return giveBack(claimed, change);
  return giveBack(claimed, {
    ...change,
    if: `${IS_TAKEN} AND attribute_not_exists(#has_failures)`,
    otherwise: () => new FailuresUnknown(),
  });
};

/** What an outcome says of its endpoint. */
export interface FailureCount {
  /** Deliveries in a row that ended failed: one more, none any more, or nothing is known to have changed. */
  failures: 'more' | 'none' | 'as they were';
  /** Its new revision, when this outcome disabled it. */
  revision?: number | undefined;
}

/** The same for the transaction of an outcome that changes the endpoint, or that the sweeper records. */
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

/** For the transaction that changes url, secret or `enabled`: attempts that read what was before are refused a place. */
export const told = ({ organizationId, id }: EndpointId, revision: number): table.TransactItem => ({
  update: keys.webhookSlots(organizationId, id),
  set: { revision, ...expiry() },
});

/** The same for the transaction that deletes it. */
export const toldDeleted = (endpoint: EndpointId): table.TransactItem => told(endpoint, DELETED);

/** Its worker died, or the place was taken by a request that came late: no attempt lasts so long. */
const isLapsed = (attemptId: string): boolean => nowMs() - madeAtMs(attemptId) >= WEBHOOK_LIMITS.webhookClaimMs;

const placesOf = (places: table.Item | undefined) => {
  const { isSlow = false, inFlight } = slotsItem.fromItem(places ?? {});
  return { isSlow, live: inFlight.filter((id) => !isLapsed(id)), lapsed: inFlight.filter(isLapsed) };
};

/** Places that nobody gave back in time, by the ids of their attempts. */
export const lapsedSlots = (places: table.Item | undefined): string[] => placesOf(places).lapsed;

/** Gives lapsed places back. They are named: what was taken since stays. */
export const dropLapsed = async (
  endpoint: Pick<Delivery, 'organizationId' | 'endpointId'>,
  lapsed: readonly string[],
): Promise<void> => {
  if (lapsed.length > 0) await table.update(keyOf(endpoint), { take: { in_flight: new Set(lapsed) } });
};

/** May somebody wait for a place? Not while none is taken, unless each attempt holds the one place until it times out. */
export const isNearlySaturated = (places: table.Item | undefined): boolean => {
  const { isSlow, live } = placesOf(places);
  return isSlow || live.length > 0;
};

/**
 * Is none left? A look before the claim: whoever waits behind a slow receiver asks often, and a refused claim costs more
 * than a look.
 */
export const isSaturated = (places: table.Item | undefined): boolean => {
  const { isSlow, live } = placesOf(places);
  return (
    live.length >=
    (isSlow ? WEBHOOK_LIMITS.webhookInFlightPerSlowEndpointMax : WEBHOOK_LIMITS.webhookInFlightPerEndpointMax)
  );
};

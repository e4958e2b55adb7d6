/**
 * How an attempt ended, and what that means for its endpoint. What the endpoint is changed by, and what the sweeper says, is
 * one transaction: a delivery that ended failed is counted exactly once, whoever records it. Every other end is two plain
 * writes, of the place and of the delivery (docs/adr/0027).
 */

import { nowIso } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { record } from '#shared/platform/metrics.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import type { FailureCount } from './concurrency.store.ts';
import * as concurrency from './concurrency.store.ts';
import { countsAsFailed, type Delivery, deliveryMessage } from './delivery.rules.ts';
import * as deliveries from './delivery.store.ts';
import { afterFailure, afterSuccess, type EndpointChange, STOPPED, type WebhookEndpoint } from './endpoint.rules.ts';
import * as webhooks from './endpoint.store.ts';
import { rememberSuccess } from './endpoint-cache.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';

/** A success is stamped whatever the last stamp says: its condition makes sure of the count. */
const ALWAYS = Number.NEGATIVE_INFINITY;

const consequence = (endpoint: WebhookEndpoint, after: Delivery, stampEveryMs: number): EndpointChange | null => {
  if (after.status === 'delivered') return afterSuccess(endpoint, nowIso(), stampEveryMs);
  if (countsAsFailed(after)) return afterFailure(endpoint, nowIso(), WEBHOOK_LIMITS.webhookFailuresInRowMax);
  return null;
};

const failuresBy = (change: EndpointChange | null | undefined): FailureCount['failures'] => {
  if (change?.failuresInRow === undefined) return 'as they were';
  return change.failuresInRow === 0 ? 'none' : 'more';
};

/** One transaction; answers whether this disabled the endpoint. */
const writeBy = async (
  claimed: Delivery,
  after: Delivery,
  endpoint: WebhookEndpoint | undefined,
  stampEveryMs: number,
): Promise<boolean> => {
  const change = endpoint && consequence(endpoint, after, stampEveryMs);
  // Of a deleted endpoint nobody counts any more.
  const failures = endpoint === undefined && after.status === 'delivered' ? 'none' : failuresBy(change);
  const revision = endpoint && change ? webhooks.revisionAfter(endpoint, change) : undefined;
  const also = endpoint && change ? [webhooks.changeItem(endpoint, change)] : [];
  await deliveries.advance(claimed, after, [concurrency.releasedSlot(claimed, after, { failures, revision }), ...also]);
  return change?.enabled === false;
};

/** Is there nothing to count and nothing to forget, by the endpoint as it was read? */
const isPlain = (after: Delivery, { failuresInRow }: WebhookEndpoint): boolean =>
  after.status === 'delivered' ? failuresInRow === 0 : !countsAsFailed(after);

const stampSuccess = async (after: Delivery, asRead: WebhookEndpoint): Promise<void> => {
  const stamp = afterSuccess(asRead, nowIso(), WEBHOOK_LIMITS.webhookSuccessStampMs);
  if (stamp === null) return;
  await webhooks.stampSuccess(asRead, stamp.lastSuccessAt);
  rememberSuccess(after, stamp.lastSuccessAt);
};

/**
 * The place first: an attempt is over when it is given back, and a success that finds a failure counted there is not yet
 * written. A worker that dies in between leaves its attempt to the sweeper, as one that dies before does.
 */
const writePlainly = async (claimed: Delivery, after: Delivery, asRead: WebhookEndpoint): Promise<void> => {
  await concurrency.releaseSlot(claimed, after);
  try {
    if (after.status === 'delivered') await stampSuccess(after, asRead);
  } finally {
    // A stamp that fails must not make a success a failure.
    await deliveries.endAttempt(claimed, after);
  }
};

/**
 * First by the endpoint as it was read for the attempt: mostly nothing has befallen it meanwhile. Where something has, the
 * places or the endpoint refuse it, and it is decided anew by what is there now. Answers whether this disabled the endpoint.
 * Throws `EndpointConflict`, `DeliveryConflict`.
 */
const decide = (claimed: Delivery, after: Delivery, asRead: WebhookEndpoint | undefined): Promise<boolean> =>
  retryOnConflict(
    [webhooks.EndpointConflict, concurrency.FailuresUnknown],
    WEBHOOK_LIMITS.webhookChangeAttemptsMax + (asRead === undefined ? 0 : 1),
    async (n) => {
      if (n === 1 && asRead !== undefined) {
        if (!isPlain(after, asRead)) return writeBy(claimed, after, asRead, WEBHOOK_LIMITS.webhookSuccessStampMs);
        await writePlainly(claimed, after, asRead);
        return false;
      }
      const endpoint = await webhooks.find(after.organizationId, after.endpointId);
      return writeBy(claimed, after, endpoint, ALWAYS);
    },
  );

/**
 * Records the end of a claimed attempt and sends the message for the next one. Throws `DeliveryConflict` when the sweeper
 * closed the attempt meanwhile: its word stands.
 * @param asRead the endpoint as the attempt was made for it
 */
export const recordOutcome = async (claimed: Delivery, after: Delivery, asRead?: WebhookEndpoint): Promise<void> => {
  const isDisabledNow = await decide(claimed, after, asRead);
  const { organizationId, endpointId } = after;
  log.info('webhook attempt ended', {
    organization_id: organizationId,
    endpoint_id: endpointId,
    delivery_id: after.id,
    attempt: after.attempts,
    status: after.responseStatus ?? after.status,
    code: after.failure ?? undefined,
  });
  record('WebhookAttempts', 1, { outcome: after.failure ?? 'delivered' });
  if (isDisabledNow) {
    record('EndpointsDisabled', 1, {});
    log.warn('webhook endpoint disabled after failures in a row', {
      organization_id: organizationId,
      endpoint_id: endpointId,
    });
    await deliveries.stopWaiting(organizationId, endpointId, STOPPED.disabled);
  }
  if (after.status === 'pending') await enqueueDelivery(deliveryMessage(after));
};

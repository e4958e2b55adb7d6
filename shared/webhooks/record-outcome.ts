/**
 * How an attempt ended, and what that means for its endpoint, in one transaction: a delivery that ended failed is counted
 * exactly once, whoever records it.
 */

import { nowIso } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { log } from '#shared/platform/logger.ts';
import { record } from '#shared/platform/metrics.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import type { Verdict } from './concurrency.store.ts';
import * as concurrency from './concurrency.store.ts';
import { countsAsFailed, type Delivery, deliveryMessage } from './delivery.rules.ts';
import * as deliveries from './delivery.store.ts';
import { afterFailure, afterSuccess, type EndpointChange, STOPPED, type WebhookEndpoint } from './endpoint.rules.ts';
import * as webhooks from './endpoint.store.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';

/** A success is stamped whatever the last stamp says: its condition makes sure of the count. */
const ALWAYS = Number.NEGATIVE_INFINITY;

const consequence = (endpoint: WebhookEndpoint, after: Delivery, stampEveryMs: number): EndpointChange | null => {
  if (after.status === 'delivered') return afterSuccess(endpoint, nowIso(), stampEveryMs);
  if (countsAsFailed(after)) return afterFailure(endpoint, nowIso(), LIMITS.webhookFailuresInRowMax);
  return null;
};

const failuresBy = (change: EndpointChange | null | undefined): Verdict['failures'] => {
  if (change?.failuresInRow === undefined) return 'as they were';
  return change.failuresInRow === 0 ? 'none' : 'more';
};

/** Writes once; answers whether this disabled the endpoint. */
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
  await deliveries.advance(claimed, after, [concurrency.releaseSlot(after, { failures, revision }), ...also]);
  return change?.enabled === false;
};

/**
 * First by the endpoint as it was read for the attempt: mostly nothing has befallen it meanwhile. Where something has, the
 * places or the endpoint refuse it, and it is decided anew by what is there now. Throws `EndpointConflict`, `DeliveryConflict`.
 */
const decide = (claimed: Delivery, after: Delivery, asRead: WebhookEndpoint | undefined): Promise<boolean> =>
  retryOnConflict(
    [webhooks.EndpointConflict, concurrency.FailuresUnknown],
    LIMITS.webhookChangeAttemptsMax + (asRead === undefined ? 0 : 1),
    async (n) => {
      if (n === 1 && asRead !== undefined) return writeBy(claimed, after, asRead, LIMITS.webhookSuccessStampMs);
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

/**
 * Records how an attempt ended and what this means for its endpoint. If the endpoint changes, or the sweeper records
 * the end, one transaction is used, so that a failed delivery is counted exactly once. Every other end takes two plain
 * writes: one to the slots and one to the delivery (docs/adr/0027).
 */

import { type AuditEvent, BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { logEvent, newEvent, putEvent } from '#shared/audit/audit.store.ts';
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

/**
 * Stamps a success even if the last stamp is recent, because the condition of this write verifies the count of
 * failures.
 */
const ALWAYS = Number.NEGATIVE_INFINITY;

const consequence = (endpoint: WebhookEndpoint, after: Delivery, stampEveryMs: number): EndpointChange | null => {
  if (after.isTest) return null;
  if (after.status === 'delivered') return afterSuccess(endpoint, nowIso(), stampEveryMs);
  if (countsAsFailed(after)) return afterFailure(endpoint, nowIso(), WEBHOOK_LIMITS.webhookFailuresInRowMax);
  return null;
};

const failuresBy = (change: EndpointChange | null | undefined): FailureCount['failures'] => {
  if (change?.failuresInRow === undefined) return 'as they were';
  return change.failuresInRow === 0 ? 'none' : 'more';
};

/** Writes in one transaction. Returns the event if the outcome disabled the endpoint, otherwise null. */
const writeBy = async (
  claimed: Delivery,
  after: Delivery,
  endpoint: WebhookEndpoint | undefined,
  stampEveryMs: number,
): Promise<AuditEvent | null> => {
  const change = endpoint && consequence(endpoint, after, stampEveryMs);
  // A deleted endpoint has no failures to count.
  const failures = endpoint === undefined && after.status === 'delivered' ? 'none' : failuresBy(change);
  const revision = endpoint && change ? webhooks.revisionAfter(endpoint, change) : undefined;
  const also = endpoint && change ? [webhooks.changeItem(endpoint, change)] : [];
  const { organizationId, endpointId: targetId } = after;
  const disabled =
    change?.enabled === false ? newEvent({ organizationId, action: 'webhook.disabled', targetId }, BY_SERVICE) : null;
  if (disabled !== null) also.push(putEvent(disabled));
  await deliveries.advance(claimed, after, [concurrency.releasedSlot(claimed, after, { failures, revision }), ...also]);
  return disabled;
};

/** True if the endpoint, as it was read, has no failures to count or to reset. */
const isPlain = (after: Delivery, { failuresInRow }: WebhookEndpoint): boolean =>
  after.status === 'delivered' && !after.isTest ? failuresInRow === 0 : !countsAsFailed(after);

const stampSuccess = async (after: Delivery, asRead: WebhookEndpoint): Promise<void> => {
  const stamp = afterSuccess(asRead, nowIso(), WEBHOOK_LIMITS.webhookSuccessStampMs);
  if (stamp === null) return;
  await webhooks.stampSuccess(asRead, stamp.lastSuccessAt);
  rememberSuccess(after, stamp.lastSuccessAt);
};

/**
 * Writes the outcome in two plain writes and releases the slot first. If a success finds that a new failure was counted
 * in the slots, the outcome is not written yet. If the worker dies between the two writes, the sweeper closes the
 * attempt.
 */
const writePlainly = async (claimed: Delivery, after: Delivery, asRead: WebhookEndpoint): Promise<void> => {
  await concurrency.releaseSlot(claimed, after);
  try {
    if (after.status === 'delivered' && !after.isTest) await stampSuccess(after, asRead);
  } finally {
    // A failed stamp must not turn a success into a failure.
    await deliveries.endAttempt(claimed, after);
  }
};

/**
 * Decides with the endpoint as it was read for the attempt, because usually it is unchanged. If the endpoint changed,
 * the slots or the endpoint refuse the write, and the outcome is decided again with fresh data. Returns the
 * event if the outcome disabled the endpoint, otherwise null.
 *
 * @throws EndpointConflict
 * @throws DeliveryConflict
 */
const decide = (claimed: Delivery, after: Delivery, asRead: WebhookEndpoint | undefined): Promise<AuditEvent | null> =>
  retryOnConflict(
    [webhooks.EndpointConflict, concurrency.FailuresUnknown],
    WEBHOOK_LIMITS.webhookChangeAttemptsMax + (asRead === undefined ? 0 : 1),
    async (n) => {
      if (n === 1 && asRead !== undefined) {
        if (!isPlain(after, asRead)) return writeBy(claimed, after, asRead, WEBHOOK_LIMITS.webhookSuccessStampMs);
        await writePlainly(claimed, after, asRead);
        return null;
      }
      const endpoint = await webhooks.find(after.organizationId, after.endpointId);
      return writeBy(claimed, after, endpoint, ALWAYS);
    },
  );

/**
 * Records the end of a claimed attempt and sends the message for the next attempt.
 * @param asRead the endpoint for which the attempt was made
 * @throws DeliveryConflict if the sweeper closed the attempt in the meantime; the sweeper's decision stays
 */
export const recordOutcome = async (claimed: Delivery, after: Delivery, asRead?: WebhookEndpoint): Promise<void> => {
  const disabled = await decide(claimed, after, asRead);
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
  if (disabled !== null) {
    logEvent(disabled);
    record('EndpointsDisabled', 1, {});
    log.warn('webhook endpoint disabled after failures in a row', {
      organization_id: organizationId,
      endpoint_id: endpointId,
    });
    await deliveries.stopWaiting(organizationId, endpointId, STOPPED.disabled);
  }
  if (after.status === 'pending') await enqueueDelivery(deliveryMessage(after));
};

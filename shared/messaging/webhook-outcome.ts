/**
 * How an attempt ended, and what that means for its endpoint, in one transaction: a delivery that ended failed is counted
 * exactly once, whoever records it.
 */
import * as deliveries from '#shared/data/deliveries.ts';
import * as webhooks from '#shared/data/webhooks.ts';
import { countsAsFailed, type Delivery, hintOf } from '#shared/domain/delivery.ts';
import {
  afterFailure,
  afterSuccess,
  type EndpointChange,
  STOPPED,
  type WebhookEndpoint,
} from '#shared/domain/webhook-endpoint.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { log } from '#shared/platform/logger.ts';
import { record } from '#shared/platform/metrics.ts';
import { hintDelivery } from './webhook-hints.ts';

const consequence = (endpoint: WebhookEndpoint, after: Delivery): EndpointChange | null => {
  if (after.status === 'delivered') return afterSuccess(endpoint, nowIso(), LIMITS.webhookSuccessStampMs);
  if (countsAsFailed(after)) return afterFailure(endpoint, nowIso(), LIMITS.webhookFailuresInRowMax);
  return null;
};

/** Writes once; answers whether this disabled the endpoint. Throws `WebhookChanged`, `DeliveryMoved`. */
const write = async (claimed: Delivery, after: Delivery): Promise<boolean> => {
  const endpoint = await webhooks.find(after.organizationId, after.endpointId);
  const change = endpoint && consequence(endpoint, after);
  const also = endpoint && change ? [webhooks.changeItem(endpoint, change)] : [];
  await deliveries.advance(claimed, after, [deliveries.placeBack(after), ...also]);
  return change?.enabled === false;
};

const decideAnew = async (claimed: Delivery, after: Delivery): Promise<boolean> => {
  for (let tries = 1; ; tries++) {
    try {
      return await write(claimed, after);
    } catch (error) {
      if (!(error instanceof webhooks.WebhookChanged) || tries >= LIMITS.webhookChangeTriesMax) throw error;
    }
  }
};

/**
 * Records the end of a claimed attempt and sends the message for the next one. Throws `DeliveryMoved` when the sweeper
 * closed the attempt meanwhile: its word stands.
 */
export const recordOutcome = async (claimed: Delivery, after: Delivery): Promise<void> => {
  const isDisabledNow = await decideAnew(claimed, after);
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
  if (after.status === 'pending') await hintDelivery(hintOf(after));
};

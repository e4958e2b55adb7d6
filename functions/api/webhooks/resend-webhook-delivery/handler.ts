import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import { toWebhookDelivery } from '#shared/http/views/webhook.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { deliveryMessage, resend } from '#shared/webhooks/delivery.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { enqueueDelivery } from '#shared/webhooks/enqueue-delivery.ts';
import { contract } from './contract.ts';

const notFailed = () => new ApiError('webhook_delivery_not_failed', 'Only a failed delivery can be sent again.');
const disabled = () => new ApiError('webhook_endpoint_disabled', 'The webhook endpoint is disabled.');

/**
 * A concurrent change made the table refuse the write: another request resent the delivery, or the endpoint was
 * disabled or deleted.
 */
const refusal = (error: unknown): unknown => {
  if (error instanceof deliveries.DeliveryConflict) return notFailed();
  if (error instanceof webhooks.EndpointConflict) return disabled();
  return error;
};

export const resendWebhookDelivery: Logic<typeof contract> = async ({ caller, params }) => {
  const found = await webhooks.find(caller.organizationId, params.id);
  if (!found) throw notFound('webhook_endpoint_not_found');
  const delivery = await deliveries.find(caller.organizationId, params.id, params.deliveryId);
  if (!delivery) throw notFound('webhook_delivery_not_found');
  if (delivery.status !== 'failed') throw notFailed();
  if (!found.enabled) throw disabled();
  const again = resend(delivery, nowMs(), deliveries.SCHEDULE);
  await deliveries.advance(delivery, again, [webhooks.stillEnabled(found)]).catch((error: unknown) => {
    throw refusal(error);
  });
  await enqueueDelivery(deliveryMessage(again));
  return { status: 202, body: { data: toWebhookDelivery(again) } };
};

export const handler = endpoint(contract, resendWebhookDelivery);

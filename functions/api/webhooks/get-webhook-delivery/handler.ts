import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toWebhookDeliveryDetail } from '#shared/http/views/webhook.ts';
import { listStored } from '#shared/webhooks/attempt.store.ts';
import { joinAttempts } from '#shared/webhooks/attempts.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { contract } from './contract.ts';

export const getWebhookDelivery: Logic<typeof contract> = async ({ caller, params }) => {
  const [found, sent] = await Promise.all([
    webhooks.find(caller.organizationId, params.id),
    deliveries.findWithBody(caller.organizationId, params.id, params.deliveryId),
  ]);
  if (!found) throw notFound('webhook_endpoint_not_found');
  if (!sent) throw notFound('webhook_delivery_not_found');
  const { delivery, body } = sent;
  const attempts = joinAttempts(await listStored(delivery), delivery);
  return { status: 200, body: { data: toWebhookDeliveryDetail(delivery, body, attempts) } };
};

export const handler = endpoint(contract, getWebhookDelivery);

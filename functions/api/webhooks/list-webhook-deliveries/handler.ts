import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { toPage } from '#shared/http/lists/pagination.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toWebhookDelivery } from '#shared/http/views/webhook.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { contract } from './contract.ts';

export const listWebhookDeliveries: Logic<typeof contract> = async ({ caller, params, query }) => {
  const { limit, offset } = query;
  const [found, newest] = await Promise.all([
    webhooks.find(caller.organizationId, params.id),
    deliveries.listNewest(caller.organizationId, params.id),
  ]);
  if (!found) throw notFound('webhook_endpoint_not_found');
  const page = newest.slice(offset, offset + limit).map(toWebhookDelivery);
  return { status: 200, body: toPage(page, newest.length, limit, offset) };
};

export const handler = endpoint(contract, listWebhookDeliveries);

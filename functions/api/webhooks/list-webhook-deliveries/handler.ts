import * as deliveries from '#shared/data/deliveries.ts';
import * as webhooks from '#shared/data/webhooks.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/errors.ts';
import { toPage } from '#shared/http/pagination.ts';
import { toWebhookDelivery } from '#shared/http/views/webhook.ts';
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

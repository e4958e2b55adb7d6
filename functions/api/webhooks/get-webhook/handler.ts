import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toWebhookEndpoint } from '#shared/http/views/webhook.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { contract } from './contract.ts';

export const getWebhook: Logic<typeof contract> = async ({ caller, params }) => {
  const found = await webhooks.find(caller.organizationId, params.id);
  if (!found) throw notFound('webhook_endpoint_not_found');
  return { status: 200, body: { data: toWebhookEndpoint(found) } };
};

export const handler = endpoint(contract, getWebhook);

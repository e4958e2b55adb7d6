import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { toWebhookEndpoint } from '#shared/http/views/webhook.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { contract } from './contract.ts';

export const listWebhooks: Logic<typeof contract> = async ({ caller }) => {
  const endpoints = await webhooks.list(caller.organizationId);
  return { status: 200, body: { data: endpoints.map(toWebhookEndpoint) } };
};

export const handler = endpoint(contract, listWebhooks);

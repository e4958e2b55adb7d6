import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { rateLimitHeaders, refuseSpent } from '#shared/http/response/rate-limit.ts';
import { toWebhookDelivery } from '#shared/http/views/webhook.ts';
import { announceTest } from '#shared/webhooks/announce-test.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { countTest } from '#shared/webhooks/test-delivery.store.ts';
import { contract } from './contract.ts';

const POLICY = 'webhook-tests';

export const testWebhook: Logic<typeof contract> = async ({ caller, params, body, newId }) => {
  const found = await webhooks.find(caller.organizationId, params.id);
  if (!found) throw notFound('webhook_endpoint_not_found');
  const quota = await countTest(caller.organizationId).catch((error: unknown) => {
    throw refuseSpent(error, POLICY, 'Too many test deliveries were sent this minute.');
  });
  const test = await announceTest(found, newId(), body.event_type);
  return { status: 202, body: { data: toWebhookDelivery(test) }, headers: rateLimitHeaders(POLICY, quota) };
};

export const handler = endpoint(contract, testWebhook);

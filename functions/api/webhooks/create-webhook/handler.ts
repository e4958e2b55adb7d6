import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { ApiError, invalidBody } from '#shared/http/response/errors.ts';
import { toWebhookEndpoint } from '#shared/http/views/webhook.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { newEndpoint } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { findingOfUrl } from '#shared/webhooks/safe-destination.ts';
import { newSecret } from '#shared/webhooks/signing.ts';
import { contract } from './contract.ts';

const refusal = (error: unknown, id: string): unknown => {
  if (error instanceof webhooks.WebhookLimitReached)
    return new ApiError(
      'webhook_limit_reached',
      `An organization may have at most ${WEBHOOK_LIMITS.webhookEndpointsMax} webhook endpoints.`,
    );
  // An earlier request with this Idempotency-Key created the endpoint, but its response, and with it the secret, was
  // lost.
  if (error instanceof webhooks.WebhookExists)
    return new ApiError(
      'idempotency_key_reused',
      `This Idempotency-Key was already used: it made webhook endpoint ${id}.`,
    );
  return error;
};

export const createWebhook: Logic<typeof contract> = async ({ caller, cause, body, newId }) => {
  const finding = await findingOfUrl(body.url);
  if (finding !== null) throw invalidBody(`url ${finding}`);
  const created = newEndpoint({
    organizationId: caller.organizationId,
    id: newId(),
    url: body.url,
    eventTypes: body.event_types,
    createdAt: nowIso(),
    createdBy: cause.author,
  });
  const secret = newSecret();
  const encrypted = await encryptSecret(caller.organizationId, secretResource.webhook(created.id), secret);
  await webhooks.create(created, encrypted, cause).catch((error: unknown) => {
    throw refusal(error, created.id);
  });
  return { status: 201, body: { data: { ...toWebhookEndpoint(created), secret } } };
};

export const handler = endpoint(contract, createWebhook);

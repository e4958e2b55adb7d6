import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toWebhookEndpoint } from '#shared/http/views/webhook.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { newSecret } from '#shared/webhooks/signing.ts';
import { contract } from './contract.ts';

export const rollWebhookSecret: Logic<typeof contract> = async ({ caller, cause, params }) => {
  const { organizationId } = caller;
  const secret = newSecret();
  const encrypted = await encryptSecret(organizationId, secretResource.webhook(params.id), secret);
  const rolled = await webhooks.replaceSecret(organizationId, params.id, encrypted, cause).catch((error: unknown) => {
    throw error instanceof webhooks.WebhookGone ? notFound('webhook_endpoint_not_found') : error;
  });
  return { status: 200, body: { data: { ...toWebhookEndpoint(rolled), secret } } };
};

export const handler = endpoint(contract, rollWebhookSecret);

import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { stopWaiting } from '#shared/webhooks/delivery.store.ts';
import { STOPPED } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { contract } from './contract.ts';

export const deleteWebhook: Logic<typeof contract> = async ({ caller, cause, params }) => {
  await webhooks.remove(caller.organizationId, params.id, cause).catch((error: unknown) => {
    throw error instanceof webhooks.WebhookGone ? notFound('webhook_endpoint_not_found') : error;
  });
  await stopWaiting(caller.organizationId, params.id, STOPPED.deleted);
  return { status: 200, body: { data: { id: params.id, deleted: true } } };
};

export const handler = endpoint(contract, deleteWebhook);

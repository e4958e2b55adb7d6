import { isDeepStrictEqual } from 'node:util';
import { SESSION_COOKIE } from '#shared/auth/session-cookie.ts';
import { endpoint, type Input, type Logic } from '#shared/http/endpoint.ts';
import { ApiError, invalidBody, notFound } from '#shared/http/response/errors.ts';
import { toWebhookEndpoint } from '#shared/http/views/webhook.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { stopWaiting } from '#shared/webhooks/delivery.store.ts';
import {
  disable,
  type EndpointChange,
  reactivate,
  STOPPED,
  type WebhookEndpoint,
} from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { findingOfUrl } from '#shared/webhooks/safe-destination.ts';
import { contract } from './contract.ts';

type UpdateInput = Input<typeof contract>;

const changeOf = (found: WebhookEndpoint, { caller, body }: UpdateInput): EndpointChange => {
  if (body.enabled === true && !found.enabled && caller.kind !== 'session')
    throw new ApiError(
      'forbidden',
      `Enabling a disabled webhook endpoint again needs a dashboard session, in the cookie ${SESSION_COOKIE}.`,
    );
  const isChange = body.enabled !== undefined && body.enabled !== found.enabled;
  const isOther = { url: body.url !== found.url, eventTypes: !isDeepStrictEqual(body.event_types, found.eventTypes) };
  return {
    ...(body.url !== undefined && isOther.url ? { url: body.url } : {}),
    ...(body.event_types !== undefined && isOther.eventTypes ? { eventTypes: body.event_types } : {}),
    ...(isChange ? (body.enabled ? reactivate(found) : disable(found, nowIso(), 'manual')) : {}),
  };
};

/**
 * Finished deliveries update the same item. If a delivery changes the item between our read and our write, read the
 * item and decide again.
 */
const changed = (input: UpdateInput): Promise<{ after: WebhookEndpoint; isDisabledNow: boolean }> =>
  retryOnConflict([webhooks.EndpointConflict], WEBHOOK_LIMITS.webhookChangeAttemptsMax, async () => {
    const found = await webhooks.find(input.caller.organizationId, input.params.id);
    if (!found) throw notFound('webhook_endpoint_not_found');
    const change = changeOf(found, input);
    if (Object.keys(change).length > 0) await webhooks.change(found, change, input.cause);
    return { after: { ...found, ...change }, isDisabledNow: change.enabled === false };
  });

export const updateWebhook: Logic<typeof contract> = async (input) => {
  const { body, caller, params } = input;
  const finding = body.url === undefined ? null : await findingOfUrl(body.url);
  if (finding !== null) throw invalidBody(`url ${finding}`);
  const { after, isDisabledNow } = await changed(input);
  if (isDisabledNow) await stopWaiting(caller.organizationId, params.id, STOPPED.disabled);
  return { status: 200, body: { data: toWebhookEndpoint(after) } };
};

export const handler = endpoint(contract, updateWebhook);

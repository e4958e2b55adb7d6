/**
 * Caches endpoints that this worker read recently, so that the next delivery need not read them again. A cached
 * endpoint may be outdated: an attempt is claimed for the endpoint as it was read, and the claim fails if url, secret
 * or `enabled` changed after the endpoint was read (shared/webhooks/concurrency.store.ts).
 */

import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import type { Delivery } from './delivery.rules.ts';
import { afterSuccess } from './endpoint.rules.ts';
import type { EndpointWithSecret } from './endpoint.store.ts';

interface Known {
  readonly found: EndpointWithSecret;
  readonly sinceMs: number;
}

/** Cached endpoints by name, oldest first. */
const known = new Map<string, Known>();

type DeliveryEndpoint = Pick<Delivery, 'organizationId' | 'endpointId'>;

const nameOf = ({ organizationId, endpointId }: DeliveryEndpoint): string => `${organizationId}|${endpointId}`;

/**
 * True while a success need not be stamped on the endpoint. Only such an endpoint is used from the cache. Otherwise
 * every worker with an old copy would stamp the endpoint again.
 */
const isQuiet = ({ endpoint }: EndpointWithSecret): boolean =>
  afterSuccess(endpoint, nowIso(), WEBHOOK_LIMITS.webhookSuccessStampMs) === null;

export const endpointKnown = (named: DeliveryEndpoint): EndpointWithSecret | undefined => {
  const kept = known.get(nameOf(named));
  // If the clock was set back, the age of the cached endpoint is unknown, so it is not used.
  return kept !== undefined && kept.sinceMs <= nowMs() && isQuiet(kept.found) ? kept.found : undefined;
};

export const forgetEndpoint = (named: DeliveryEndpoint): void => {
  known.delete(nameOf(named));
};

export const rememberEndpoint = (found: EndpointWithSecret): void => {
  const { organizationId, id: endpointId } = found.endpoint;
  const name = nameOf({ organizationId, endpointId });
  known.delete(name);
  known.set(name, { found, sinceMs: nowMs() });
  if (known.size > WEBHOOK_LIMITS.webhookEndpointsKnownMax) known.delete(known.keys().next().value!);
};

/** Updates the cached endpoint after this worker stamped a success on it. */
export const rememberSuccess = (named: DeliveryEndpoint, at: string): void => {
  const kept = known.get(nameOf(named));
  if (kept === undefined) return;
  const { found, sinceMs } = kept;
  const endpoint = { ...found.endpoint, lastSuccessAt: at };
  known.set(nameOf(named), { found: { ...found, endpoint }, sinceMs });
};

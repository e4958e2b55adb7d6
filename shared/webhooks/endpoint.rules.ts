/** A webhook endpoint: who is told of what, and when it is disabled by itself (decisions.md §8). Pure. */

import * as z from 'zod';
import { type EventType, storedEventType } from '#shared/values/event-types.ts';
import { organizationId } from '#shared/values/ids.ts';

export const WebhookEndpointSchema = z.object({
  organizationId: organizationId(),
  id: z.string(),
  url: z.string(),
  eventTypes: z.array(storedEventType()),
  enabled: z.boolean(),
  /** Null while enabled. */
  disabledAt: z.string().nullable(),
  /** Last time it was disabled, kept when it is enabled again: deliveries from before do not come back to life. */
  stoppedAt: z.string().nullable(),
  lastSuccessAt: z.string().nullable(),
  /** Deliveries in a row that ended failed. */
  failuresInRow: z.number(),
  /** Grows with every change of url, secret or `enabled`: an attempt is claimed for the endpoint as it was read. */
  revision: z.number(),
  createdAt: z.string(),
});
export interface WebhookEndpoint extends z.infer<typeof WebhookEndpointSchema> {}

/** As it is made: enabled, and nothing has happened to it. */
export const newEndpoint = (
  made: Pick<WebhookEndpoint, 'organizationId' | 'id' | 'url' | 'eventTypes' | 'createdAt'>,
): WebhookEndpoint => ({
  ...made,
  enabled: true,
  disabledAt: null,
  stoppedAt: null,
  lastSuccessAt: null,
  failuresInRow: 0,
  revision: 1,
});

export type EndpointChange = Partial<
  Pick<
    WebhookEndpoint,
    'url' | 'eventTypes' | 'enabled' | 'disabledAt' | 'stoppedAt' | 'lastSuccessAt' | 'failuresInRow'
  >
>;

export const isSubscribed = (endpoint: WebhookEndpoint, type: EventType): boolean =>
  endpoint.enabled && endpoint.eventTypes.includes(type);

/** By hand or by itself. Nothing changes when it is disabled already. */
export const disable = (endpoint: WebhookEndpoint, at: string): EndpointChange =>
  endpoint.enabled ? { enabled: false, disabledAt: at, stoppedAt: at } : {};

export const reactivate = (endpoint: WebhookEndpoint): EndpointChange =>
  endpoint.enabled ? {} : { enabled: true, disabledAt: null, failuresInRow: 0 };

/**
 * Any success ends the row of failures. Null when there is nothing to write: no failures to forget and a stamp so
 * fresh that writing it again would only heat the organization's partition.
 */
export const afterSuccess = (
  endpoint: WebhookEndpoint,
  at: string,
  stampEveryMs: number,
): { failuresInRow: number; lastSuccessAt: string } | null => {
  const ageMs = endpoint.lastSuccessAt === null ? Number.POSITIVE_INFINITY : ms(at) - ms(endpoint.lastSuccessAt);
  if (endpoint.failuresInRow === 0 && ageMs <= stampEveryMs) return null;
  return { failuresInRow: 0, lastSuccessAt: at };
};
const ms = (iso: string): number => Date.parse(iso);

/** One more delivery ended failed. Null for a disabled endpoint: it has been judged. */
export const afterFailure = (endpoint: WebhookEndpoint, at: string, inRowMax: number): EndpointChange | null => {
  if (!endpoint.enabled) return null;
  const failuresInRow = endpoint.failuresInRow + 1;
  return { failuresInRow, ...(failuresInRow >= inRowMax ? disable(endpoint, at) : {}) };
};

/** Why a waiting delivery of this endpoint gets no further attempt, or null. */
export const whyStopped = (endpoint: WebhookEndpoint | undefined, delivery: { createdAt: string; resend: boolean }) => {
  if (endpoint === undefined) return STOPPED.deleted;
  if (!endpoint.enabled) return STOPPED.disabled;
  // Disabled and enabled again in between. A resend was asked for later and stands.
  const isOlder = endpoint.stoppedAt !== null && delivery.createdAt <= endpoint.stoppedAt;
  return isOlder && !delivery.resend ? STOPPED.disabled : null;
};

export const STOPPED = {
  deleted: 'the webhook endpoint was deleted',
  disabled: 'the webhook endpoint was disabled',
} as const;

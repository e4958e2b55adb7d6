/** A webhook endpoint: its subscriptions, and when it is disabled automatically (decisions.md §8). Pure. */

import * as z from 'zod';
import { AuthorSchema, type ChangedPart } from '#shared/audit/audit.rules.ts';
import { type EventType, storedEventType } from '#shared/values/event-types.ts';
import { organizationId } from '#shared/values/ids.ts';

/** `manual`: a request set `enabled` to false. `failures`: too many deliveries in a row failed. */
export const DISABLED_REASONS = ['manual', 'failures'] as const;
type DisabledReason = (typeof DISABLED_REASONS)[number];

export const WebhookEndpointSchema = z.object({
  organizationId: organizationId(),
  id: z.string(),
  url: z.string(),
  eventTypes: z.array(storedEventType()),
  enabled: z.boolean(),
  /** Null while the endpoint is enabled. */
  disabledAt: z.string().nullable(),
  /** Null while the endpoint is enabled, and if a release disabled it that did not store the reason. */
  disabledReason: z.enum(DISABLED_REASONS).nullish(),
  /**
   * When the endpoint was last disabled. The time stays after the endpoint is enabled again, so that older deliveries
   * are not resumed.
   */
  stoppedAt: z.string().nullable(),
  lastSuccessAt: z.string().nullable(),
  /** Number of deliveries in a row that failed. */
  failuresInRow: z.number(),
  /**
   * Increases with every change of url, secret or `enabled`. If it has increased since a worker read the endpoint, the
   * worker's attempt is not made.
   */
  revision: z.number(),
  createdAt: z.string(),
  /** Absent on endpoints that were created before authors were stored. */
  createdBy: AuthorSchema.optional(),
});
export interface WebhookEndpoint extends z.infer<typeof WebhookEndpointSchema> {}

/** Returns a new endpoint: enabled, without any history. */
export const newEndpoint = (
  made: Pick<WebhookEndpoint, 'organizationId' | 'id' | 'url' | 'eventTypes' | 'createdAt' | 'createdBy'>,
): WebhookEndpoint => ({
  ...made,
  enabled: true,
  disabledAt: null,
  disabledReason: null,
  stoppedAt: null,
  lastSuccessAt: null,
  failuresInRow: 0,
  revision: 1,
});

export type EndpointChange = Partial<
  Pick<
    WebhookEndpoint,
    'url' | 'eventTypes' | 'enabled' | 'disabledAt' | 'disabledReason' | 'stoppedAt' | 'lastSuccessAt' | 'failuresInRow'
  >
>;

/** Returns the parts of the endpoint that a request changed. */
export const changedParts = ({ url, eventTypes, enabled }: EndpointChange): ChangedPart[] => {
  const parts: readonly [ChangedPart, unknown][] = [
    ['url', url],
    ['event_types', eventTypes],
    ['enabled', enabled],
  ];
  return parts.flatMap(([part, value]) => (value === undefined ? [] : [part]));
};

export const isSubscribed = (endpoint: WebhookEndpoint, type: EventType): boolean =>
  endpoint.enabled && endpoint.eventTypes.includes(type);

/** Disables the endpoint. Changes nothing if it is already disabled. */
export const disable = (endpoint: WebhookEndpoint, at: string, disabledReason: DisabledReason): EndpointChange =>
  endpoint.enabled ? { enabled: false, disabledAt: at, disabledReason, stoppedAt: at } : {};

export const reactivate = (endpoint: WebhookEndpoint): EndpointChange =>
  endpoint.enabled ? {} : { enabled: true, disabledAt: null, disabledReason: null, failuresInRow: 0 };

/**
 * Returns the change after a successful delivery: it resets the failures in a row. Returns null if there are no
 * failures to reset and the last success stamp is recent, because another write would only load the organization's
 * partition.
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

/** Counts one more failed delivery. Returns null for a disabled endpoint. */
export const afterFailure = (endpoint: WebhookEndpoint, at: string, inRowMax: number): EndpointChange | null => {
  if (!endpoint.enabled) return null;
  const failuresInRow = endpoint.failuresInRow + 1;
  return { failuresInRow, ...(failuresInRow >= inRowMax ? disable(endpoint, at, 'failures') : {}) };
};

/** Returns the reason why a waiting delivery of this endpoint gets no further attempt, or null. */
export const whyStopped = (
  endpoint: WebhookEndpoint | undefined,
  delivery: { createdAt: string; resend: boolean; isTest?: boolean | undefined },
) => {
  if (endpoint === undefined) return STOPPED.deleted;
  if (delivery.isTest) return null;
  if (!endpoint.enabled) return STOPPED.disabled;
  // The endpoint was disabled after the delivery was created, and is enabled again. A manual resend was requested
  // later, so it is made.
  const isOlder = endpoint.stoppedAt !== null && delivery.createdAt <= endpoint.stoppedAt;
  return isOlder && !delivery.resend ? STOPPED.disabled : null;
};

export const STOPPED = {
  deleted: 'the webhook endpoint was deleted',
  disabled: 'the webhook endpoint was disabled',
} as const;

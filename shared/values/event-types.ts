/** Types of the events that a webhook endpoint may subscribe to (service.md "Webhooks"). */
import * as z from 'zod';

export const EVENT_TYPES = ['sync.succeeded', 'sync.partial', 'sync.failed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Accepts any string: after a rollback, a newer release may have stored a type that this release does not know. */
export const storedEventType = (): z.ZodType<EventType, EventType> =>
  z.string() as unknown as z.ZodType<EventType, EventType>;

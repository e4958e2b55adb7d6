/** Types of the events that a webhook endpoint may subscribe to (service.md "Webhooks"). */
export const EVENT_TYPES = ['sync.succeeded', 'sync.partial', 'sync.failed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

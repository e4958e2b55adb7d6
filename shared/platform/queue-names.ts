/** Queues that every stage has in addition to one queue per scope. */
export const QUEUE_NAMES = ['sync-requests', 'webhook-deliveries', 'purges'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** Returns the name of the queue of a scope, for example `sync-tax-rcv`. */
export const scopeQueue = (source: string, scope: string): string => `sync-${source}-${scope}`;

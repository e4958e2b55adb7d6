/** Queues that every stage has, beside one per scope. */
export const QUEUE_NAMES = ['sync-requests', 'webhook-deliveries', 'purges'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** One queue per scope, `sync-tax-rcv`. */
export const scopeQueue = (source: string, scope: string): string => `sync-${source}-${scope}`;

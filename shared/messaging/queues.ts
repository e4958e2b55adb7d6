/**
 * All queues and the schemas of their messages. Messages are hints: they name items of the table and contain no data
 * that could change, so that a late or duplicate message can be checked against the table. The schemas parse messages
 * when they are sent and received.
 */

import * as z from 'zod';
import type { QueueName } from '#shared/platform/queue-names.ts';
import { EVENT_TYPES } from '#shared/values/event-types.ts';
import { uuid } from '#shared/values/fields.ts';

/** `run`: check this run, which may need to be dispatched. `scheduled`: a firing of a schedule, which creates a run. */
export const SyncRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), organizationId: uuid(), connectionId: uuid(), runId: uuid() }),
  z.object({
    kind: z.literal('scheduled'),
    organizationId: uuid(),
    connectionId: uuid(),
    revision: z.int(),
    scheduledAt: z.iso.datetime(),
  }),
]);

/**
 * `work`: work on this scope of this run; valid while the scope has the same `generation`. `logout`: log out this
 * stored session.
 */
export const TaskMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('work'),
    organizationId: uuid(),
    connectionId: uuid(),
    runId: uuid(),
    scope: z.string(),
    /** Absent in messages sent before this field existed. */
    source: z.string().optional(),
    generation: z.int(),
  }),
  z.object({
    kind: z.literal('logout'),
    organizationId: uuid(),
    source: z.string(),
    login: z.string(),
    slot: z.int(),
    /** The scope whose queue got the message. Absent in messages sent before this field existed. */
    scope: z.string().optional(),
  }),
]);

/** This delivery has an attempt that is due at `dueAt`. Valid while the delivery has the same `generation`. */
export const DeliveryDue = z.object({
  organizationId: uuid(),
  endpointId: uuid(),
  deliveryId: uuid(),
  generation: z.int(),
  dueAt: z.string(),
  /** Data that was stored at the announcement, so that the first attempt need not read it (docs/adr/0013). */
  announced: z.object({ eventId: uuid(), eventType: z.enum(EVENT_TYPES), body: z.string() }).optional(),
});

/** Purge the remaining data of this deleted connection. */
export const PurgeRequest = z.object({ organizationId: uuid(), connectionId: uuid(), generation: z.int() });

export type SyncRequest = z.infer<typeof SyncRequest>;
export type TaskMessage = z.infer<typeof TaskMessage>;
export type DeliveryDue = z.infer<typeof DeliveryDue>;
export type PurgeRequest = z.infer<typeof PurgeRequest>;

export const QUEUES = {
  'sync-requests': SyncRequest,
  'webhook-deliveries': DeliveryDue,
  purges: PurgeRequest,
} as const satisfies Record<QueueName, z.ZodType>;

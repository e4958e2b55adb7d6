/**
 * Every queue and what its messages say. Messages are hints: they name items of the table and carry nothing that could
 * change, so that a late or doubled one can be checked against the truth. Schemas parse on the way in and out.
 */

import * as z from 'zod';
import type { QueueName } from '#shared/platform/queue-names.ts';
import { EVENT_TYPES } from '#shared/values/event-types.ts';
import { uuid } from '#shared/values/fields.ts';

/** "Look at this run: it may want dispatching." `scheduled` is a firing of the schedule instead: it creates a run. */
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

/** "Work on this scope of this run", valid while the scope's `generation` is the same. Or: "log this kept session out". */
export const TaskMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('work'),
    organizationId: uuid(),
    connectionId: uuid(),
    runId: uuid(),
    scope: z.string(),
    /** Absent in messages that waited while the service learnt to say it. */
    source: z.string().optional(),
    generation: z.int(),
  }),
  z.object({
    kind: z.literal('logout'),
    organizationId: uuid(),
    source: z.string(),
    login: z.string(),
    slot: z.int(),
    /** Whose queue it was sent to. Absent as above. */
    scope: z.string().optional(),
  }),
]);

/** "This delivery has an attempt due at `dueAt`", valid while the delivery's `generation` is the same. */
export const DeliveryDue = z.object({
  organizationId: uuid(),
  endpointId: uuid(),
  deliveryId: uuid(),
  generation: z.int(),
  dueAt: z.string(),
  /** What was written when it was announced, so that its first attempt need not read it (docs/adr/0013). */
  announced: z.object({ eventId: uuid(), eventType: z.enum(EVENT_TYPES), body: z.string() }).optional(),
});

/** "Purge what is left of this deleted connection." */
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

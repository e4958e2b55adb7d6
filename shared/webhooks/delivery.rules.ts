/**
 * A webhook delivery: its states and moves (decisions.md §8). Pure. Every move raises its generation, and a message of
 * another one is stale: so doubled messages die out and a write conditional on the generation it was decided by happens once.
 */

import * as z from 'zod';
import { AppError } from '#shared/values/app-error.ts';
import { type EventType, storedEventType } from '#shared/values/event-types.ts';
import { type OrganizationId, organizationId } from '#shared/values/ids.ts';

/** `pending` waits for its turn, first or next; `delivering` during an attempt; the other two are ends. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Where an attempt failed; `interrupted`: its worker died; `stopped`: no attempt was made for it. */
const FailureSchema = z.enum(['dns', 'tls', 'connect', 'timeout', 'http', 'blocked', 'interrupted', 'stopped']);
export type Failure = z.infer<typeof FailureSchema>;

export const DeliverySchema = z.object({
  organizationId: organizationId(),
  endpointId: z.string(),
  /** Also the `webhook-id` header of every attempt. */
  id: z.string(),
  eventId: z.string(),
  eventType: storedEventType(),
  status: z.enum(DELIVERY_STATUSES),
  /** Attempts made, the one under way included. */
  attempts: z.number(),
  generation: z.number(),
  /**
   * The attempt under way, or the last one: its worker knows its own writes by it when one of them is sent again. Null before
   * the first, and after one that the sweeper closed.
   */
  attemptId: z.string().nullable(),
  /** When the next attempt may begin. Null during one and at the end. */
  dueAt: z.string().nullable(),
  /** When the sweeper looks if nothing happened. Null at the end. */
  nextCheckAt: z.string().nullable(),
  /** The last word is a manual resend: one attempt, no automatic ones, not counted for auto-disable. */
  resend: z.boolean(),
  /** These three tell of the last attempt: null while it is under way. */
  responseStatus: z.number().nullable(),
  failure: FailureSchema.nullable(),
  error: z.string().nullable(),
  lastAttemptAt: z.string().nullable(),
  createdAt: z.string(),
});
export interface Delivery extends z.infer<typeof DeliverySchema> {}

/** The numbers of the moves, in milliseconds. */
export interface DeliverySchedule {
  attemptsMax: number;
  /** Before attempts 2, 3, …, from the end of the failed one. */
  retryDelaysMs: readonly number[];
  /** An attempt without an end after so long is closed as interrupted. */
  claimMs: number;
  /** How much later than due the sweeper looks. */
  graceMs: number;
}

export type AttemptResult =
  | { ok: true; status: number }
  | { ok: false; failure: Failure; status: number | null; error: string };

/** An attempt that is to be made. */
export interface DeliveryAttempt {
  /** UUIDv7, of no other attempt. */
  id: string;
  /** When it begins. */
  atMs: number;
}

/** What a message says of a delivery. */
export interface DeliveryMessage {
  organizationId: OrganizationId;
  endpointId: string;
  deliveryId: string;
  /** The delivery's generation. */
  generation: number;
  dueAt: string;
  /** Of a delivery that was just announced: what else its item says, and what is sent. */
  announced?: { eventId: string; eventType: EventType; body: string } | undefined;
}

/** A move that the state does not have: a mistake of ours, never of a caller. */
export class NoSuchMove extends AppError {
  constructor(move: string, delivery: Pick<Delivery, 'status'>) {
    super(`a ${delivery.status} delivery cannot ${move}`);
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();

const must = (delivery: Delivery, status: DeliveryStatus, move: string): void => {
  if (delivery.status !== status) throw new NoSuchMove(move, delivery);
};

type DeliveryNames = Pick<Delivery, 'organizationId' | 'endpointId' | 'id' | 'eventId' | 'eventType'>;

const FIRST_GENERATION = 1;

export const newDelivery = (named: DeliveryNames, atMs: number, schedule: DeliverySchedule): Delivery => ({
  ...named,
  status: 'pending',
  attempts: 0,
  generation: FIRST_GENERATION,
  attemptId: null,
  dueAt: iso(atMs),
  nextCheckAt: iso(atMs + schedule.graceMs),
  resend: false,
  responseStatus: null,
  failure: null,
  error: null,
  lastAttemptAt: null,
  createdAt: iso(atMs),
});

/** Milliseconds until the next attempt may begin; 0 or less: now. */
export const untilDueMs = (delivery: Delivery, nowMs: number): number =>
  delivery.dueAt === null ? 0 : Date.parse(delivery.dueAt) - nowMs;

/** Was its first attempt due and put off, because its endpoint had no place? */
export const waitsForFirst = ({ status, attempts, generation }: Delivery): boolean =>
  status === 'pending' && attempts === 0 && generation > FIRST_GENERATION;

/** Records an attempt before it is made. */
export const claim = (delivery: Delivery, { id, atMs }: DeliveryAttempt, schedule: DeliverySchedule): Delivery => {
  must(delivery, 'pending', 'be claimed');
  if (untilDueMs(delivery, atMs) > 0) throw new NoSuchMove('be claimed early', delivery);
  return {
    ...delivery,
    status: 'delivering',
    attempts: delivery.attempts + 1,
    generation: delivery.generation + 1,
    attemptId: id,
    dueAt: null,
    nextCheckAt: iso(atMs + schedule.claimMs),
    responseStatus: null,
    failure: null,
    error: null,
    lastAttemptAt: iso(atMs),
  };
};

/** Records how the attempt ended at `endMs`: the next delay runs from there. */
export const settle = (
  delivery: Delivery,
  result: AttemptResult,
  endMs: number,
  schedule: DeliverySchedule,
): Delivery => {
  must(delivery, 'delivering', 'be settled');
  const told = {
    ...delivery,
    generation: delivery.generation + 1,
    dueAt: null,
    nextCheckAt: null,
    responseStatus: result.status,
    failure: result.ok ? null : result.failure,
    error: result.ok ? null : result.error,
  };
  if (result.ok) return { ...told, status: 'delivered' };
  const delayMs = schedule.retryDelaysMs[delivery.attempts - 1];
  const isLast = delivery.resend || delivery.attempts >= schedule.attemptsMax || delayMs === undefined;
  if (isLast) return { ...told, status: 'failed' };
  const dueMs = endMs + delayMs;
  return { ...told, status: 'pending', dueAt: iso(dueMs), nextCheckAt: iso(dueMs + schedule.graceMs) };
};

/** Has its worker had all the time it may take? */
export const isInterrupted = (delivery: Delivery, nowMs: number): boolean =>
  delivery.status === 'delivering' && delivery.nextCheckAt !== null && Date.parse(delivery.nextCheckAt) <= nowMs;

/**
 * Closes an attempt whose worker died: it counts as made and failed, its end is when that is noticed. The attempt's id goes:
 * a worker that lives after all must not take this for its own word.
 */
export const interrupt = (delivery: Delivery, nowMs: number, schedule: DeliverySchedule): Delivery => {
  if (!isInterrupted(delivery, nowMs)) throw new NoSuchMove('be interrupted', delivery);
  const error = 'the attempt was interrupted and its outcome is unknown';
  const settled = settle(delivery, { ok: false, failure: 'interrupted', status: null, error }, nowMs, schedule);
  return { ...settled, attemptId: null };
};

/** Still waiting: the older message becomes stale. The sweeper looks after the delay and its grace. */
export const postpone = (delivery: Delivery, lookMs: number): Delivery => {
  must(delivery, 'pending', 'be postponed');
  return { ...delivery, generation: delivery.generation + 1, nextCheckAt: iso(lookMs) };
};

/** Still waiting, and the older messages still count: whichever comes first makes the others stale. */
export const remind = (delivery: Delivery, lookMs: number): Delivery => {
  must(delivery, 'pending', 'be reminded of');
  return { ...delivery, nextCheckAt: iso(lookMs) };
};

/** Ends a waiting delivery that will get no further attempt. */
export const stop = (delivery: Delivery, reason: string): Delivery => {
  must(delivery, 'pending', 'be stopped');
  const ended = { status: 'failed', generation: delivery.generation + 1, dueAt: null, nextCheckAt: null } as const;
  return { ...delivery, ...ended, failure: 'stopped', error: reason };
};

/** A manual retry: due at once. */
export const resend = (delivery: Delivery, nowMs: number, schedule: DeliverySchedule): Delivery => {
  must(delivery, 'failed', 'be resent');
  return {
    ...delivery,
    status: 'pending',
    generation: delivery.generation + 1,
    dueAt: iso(nowMs),
    nextCheckAt: iso(nowMs + schedule.graceMs),
    resend: true,
  };
};

/** Does this end count towards the automatic deactivation of the endpoint? */
export const countsAsFailed = (delivery: Delivery): boolean =>
  delivery.status === 'failed' && !delivery.resend && delivery.failure !== 'stopped';

/** The message for a waiting delivery. */
export const deliveryMessage = (delivery: Delivery): DeliveryMessage => {
  if (delivery.dueAt === null) throw new NoSuchMove('be enqueued', delivery);
  const { organizationId, endpointId, id, generation, dueAt } = delivery;
  return { organizationId, endpointId, deliveryId: id, generation, dueAt };
};

/** The message for a delivery that was just announced. @param body what is sent, as text */
export const newDeliveryMessage = (delivery: Delivery, body: string): DeliveryMessage => ({
  ...deliveryMessage(delivery),
  announced: { eventId: delivery.eventId, eventType: delivery.eventType, body },
});

/** As `newDelivery` made it, by its message alone. Undefined for a message that tells less, or of a later generation. */
export const deliveryFromMessage = (message: DeliveryMessage, schedule: DeliverySchedule): Delivery | undefined => {
  const { organizationId, endpointId, deliveryId, generation, dueAt, announced } = message;
  if (announced === undefined || generation !== FIRST_GENERATION) return undefined;
  const { eventId, eventType } = announced;
  return newDelivery({ organizationId, endpointId, id: deliveryId, eventId, eventType }, Date.parse(dueAt), schedule);
};

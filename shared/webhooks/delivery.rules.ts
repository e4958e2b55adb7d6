/**
 * A webhook delivery: its states and moves (decisions.md §8). Every move raises the generation, and a message with
 * another generation is stale. So duplicate messages have no effect, and a write that is conditional on the generation
 * happens only once. Pure.
 */

import * as z from 'zod';
import { AppError } from '#shared/values/app-error.ts';
import { type EventType, storedEventType } from '#shared/values/event-types.ts';
import { type OrganizationId, organizationId } from '#shared/values/ids.ts';
import { type Failure, FailureSchema } from './attempts.rules.ts';

/**
 * `pending`: waits for its first or next attempt. `delivering`: an attempt is in flight. `delivered` and `failed` are
 * final.
 */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DeliverySchema = z.object({
  organizationId: organizationId(),
  endpointId: z.string(),
  /** Also sent as the `webhook-id` header of every attempt. */
  id: z.string(),
  eventId: z.string(),
  eventType: storedEventType(),
  status: z.enum(DELIVERY_STATUSES),
  /** Number of attempts, including an attempt in flight. */
  attempts: z.number(),
  generation: z.number(),
  /**
   * Id of the attempt in flight, or of the last attempt. With this id, a worker recognizes its own write if the SDK
   * repeats the write. Null before the first attempt, and after an attempt that the sweeper closed.
   */
  attemptId: z.string().nullable(),
  /** When the next attempt may begin. Null during an attempt and at the end. */
  dueAt: z.string().nullable(),
  /** When the sweeper checks the delivery if no worker has moved it. Null at the end. */
  nextCheckAt: z.string().nullable(),
  /**
   * True after a manual resend. A resend is one attempt without automatic retries, and does not count for the automatic
   * deactivation.
   */
  resend: z.boolean(),
  /**
   * True for a test that a developer asked for: one attempt, also to a disabled endpoint, without any effect on the
   * endpoint.
   */
  isTest: z.boolean().optional(),
  /** `responseStatus`, `failure` and `error` describe the last attempt. They are null while an attempt is in flight. */
  responseStatus: z.number().nullable(),
  failure: FailureSchema.nullable(),
  error: z.string().nullable(),
  lastAttemptAt: z.string().nullable(),
  /** Milliseconds that the last attempt took. Null while it is in flight, and if its worker died. */
  tookMs: z.number().nullable(),
  createdAt: z.string(),
});
export interface Delivery extends z.infer<typeof DeliverySchema> {}

/** Limits and delays of the moves, in milliseconds. */
export interface DeliverySchedule {
  attemptsMax: number;
  /** Delays before attempts 2, 3, …, counted from the end of the previous attempt. */
  retryDelaysMs: readonly number[];
  /** If an attempt has no end after this time, it is closed as interrupted. */
  claimMs: number;
  /** How long after the due time the sweeper checks. */
  graceMs: number;
}

export type AttemptResult =
  | { ok: true; status: number }
  | { ok: false; failure: Failure; status: number | null; error: string };

/** An attempt to make. */
export interface DeliveryAttempt {
  /** A unique UUIDv7. */
  id: string;
  /** Start time. */
  atMs: number;
}

/** The content of a message about a delivery. */
export interface DeliveryMessage {
  organizationId: OrganizationId;
  endpointId: string;
  deliveryId: string;
  /** The delivery's generation when the message was sent. */
  generation: number;
  dueAt: string;
  /** For a delivery that was just announced: the rest of its item, and the body to send. */
  announced?: { eventId: string; eventType: EventType; body: string } | undefined;
}

/** The state does not allow this move. This is a mistake in our code, never a caller's mistake. */
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
  tookMs: null,
  createdAt: iso(atMs),
});

export const newTestDelivery = (named: DeliveryNames, atMs: number, schedule: DeliverySchedule): Delivery => ({
  ...newDelivery(named, atMs, schedule),
  isTest: true,
});

/** Returns the milliseconds until the next attempt may begin; 0 or less if it may begin now. */
export const untilDueMs = (delivery: Delivery, nowMs: number): number =>
  delivery.dueAt === null ? 0 : Date.parse(delivery.dueAt) - nowMs;

/** True if the first attempt was due and was postponed because the endpoint had no free slot. */
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
    tookMs: null,
  };
};

/** Records how the attempt ended at `endMs`. The next delay starts at that time. */
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
    tookMs: Math.max(0, endMs - Date.parse(delivery.lastAttemptAt ?? iso(endMs))),
  };
  if (result.ok) return { ...told, status: 'delivered' };
  const delayMs = schedule.retryDelaysMs[delivery.attempts - 1];
  const isLast =
    delivery.resend || delivery.isTest || delivery.attempts >= schedule.attemptsMax || delayMs === undefined;
  if (isLast) return { ...told, status: 'failed' };
  const dueMs = endMs + delayMs;
  return { ...told, status: 'pending', dueAt: iso(dueMs), nextCheckAt: iso(dueMs + schedule.graceMs) };
};

/** True if an attempt is still under way although its worker has used up the time of its invocation. */
export const isInterrupted = (delivery: Delivery, nowMs: number): boolean =>
  delivery.status === 'delivering' && delivery.nextCheckAt !== null && Date.parse(delivery.nextCheckAt) <= nowMs;

/**
 * Closes an attempt whose worker is presumed dead. The attempt counts as made and failed, and ends when the sweeper closes
 * it. The write removes the attempt's id, so that a slow worker can see that its attempt was closed.
 */
export const interrupt = (delivery: Delivery, nowMs: number, schedule: DeliverySchedule): Delivery => {
  if (!isInterrupted(delivery, nowMs)) throw new NoSuchMove('be interrupted', delivery);
  const error = 'the attempt was interrupted and its outcome is unknown';
  const settled = settle(delivery, { ok: false, failure: 'interrupted', status: null, error }, nowMs, schedule);
  return { ...settled, attemptId: null, tookMs: null };
};

/**
 * Lets the delivery wait longer and makes the older message stale. The sweeper checks the delivery after the delay and
 * its grace.
 */
export const postpone = (delivery: Delivery, lookMs: number): Delivery => {
  must(delivery, 'pending', 'be postponed');
  return { ...delivery, generation: delivery.generation + 1, nextCheckAt: iso(lookMs) };
};

/**
 * Postpones the next check in the same generation, so that messages already sent for the delivery stay valid. The first
 * of them that arrives makes the others stale.
 */
export const remind = (delivery: Delivery, lookMs: number): Delivery => {
  must(delivery, 'pending', 'be reminded of');
  return { ...delivery, nextCheckAt: iso(lookMs) };
};

/** Ends a waiting delivery that gets no further attempt. */
export const stop = (delivery: Delivery, reason: string): Delivery => {
  must(delivery, 'pending', 'be stopped');
  const ended = { status: 'failed', generation: delivery.generation + 1, dueAt: null, nextCheckAt: null } as const;
  return { ...delivery, ...ended, failure: 'stopped', error: reason };
};

/** Makes a failed delivery due at once, for a manual resend. */
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

/** True if the end of this delivery counts towards the automatic deactivation of the endpoint. */
export const countsAsFailed = (delivery: Delivery): boolean =>
  delivery.status === 'failed' && !delivery.resend && !delivery.isTest && delivery.failure !== 'stopped';

/** Returns the message for a waiting delivery. */
export const deliveryMessage = (delivery: Delivery): DeliveryMessage => {
  if (delivery.dueAt === null) throw new NoSuchMove('be enqueued', delivery);
  const { organizationId, endpointId, id, generation, dueAt } = delivery;
  return { organizationId, endpointId, deliveryId: id, generation, dueAt };
};

/**
 * Returns the message for a delivery that was just announced.
 * @param body the body to send, as text
 */
export const newDeliveryMessage = (delivery: Delivery, body: string): DeliveryMessage => ({
  ...deliveryMessage(delivery),
  announced: { eventId: delivery.eventId, eventType: delivery.eventType, body },
});

/**
 * Returns the delivery that `newDelivery` made, rebuilt from its message. Returns undefined if the message does not
 * contain the announced data or has a later generation.
 */
export const deliveryFromMessage = (message: DeliveryMessage, schedule: DeliverySchedule): Delivery | undefined => {
  const { organizationId, endpointId, deliveryId, generation, dueAt, announced } = message;
  if (announced === undefined || generation !== FIRST_GENERATION) return undefined;
  const { eventId, eventType } = announced;
  return newDelivery({ organizationId, endpointId, id: deliveryId, eventId, eventType }, Date.parse(dueAt), schedule);
};

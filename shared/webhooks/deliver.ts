/**
 * Handles the message that a delivery is due. The message counts only while the delivery waits in the message's
 * generation; duplicates and late messages have no effect. A message that comes early is sent again with the remaining
 * delay. If the delivery is due, the worker records the attempt, makes it, and records its end. If the worker dies in
 * between, the sweeper closes the attempt after 60 s. Most first attempts need only the message and this worker's
 * cached endpoint. If the message or the cached endpoint is outdated, the claim fails and the worker reads the table
 * (docs/adr/0013).
 */

import type { DeliveryDue } from '#shared/messaging/queues.ts';
import type { ReadAhead } from '#shared/messaging/worker.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { record } from '#shared/platform/metrics.ts';
import { withReserve } from '#shared/platform/patience.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { ClaimConflict, dropLapsed } from './concurrency.store.ts';
import {
  claim,
  type Delivery,
  deliveryFromMessage,
  deliveryMessage,
  postpone,
  settle,
  untilDueMs,
} from './delivery.rules.ts';
import * as deliveries from './delivery.store.ts';
import { STOPPED, whyStopped } from './endpoint.rules.ts';
import { endpointKnown, forgetEndpoint, rememberEndpoint } from './endpoint-cache.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { attemptWebhook } from './http-attempt.ts';
import { recordOutcome } from './record-outcome.ts';
import { toSignedSeconds, unsignedHeaders } from './request-headers.ts';
import { policyOfStage } from './safe-destination.ts';
import { openSecret } from './secret-cache.ts';
import { signedHeaders } from './signing.ts';

export type ContextsAhead = ReadonlyMap<DeliveryDue, deliveries.DeliveryContext>;

/**
 * Returns the context from the message and this worker's cached endpoint. The context may be outdated, so it is used
 * only for a claim.
 */
const contextFromMessage = (message: DeliveryDue): deliveries.DeliveryContext | undefined => {
  const delivery = deliveryFromMessage(message, deliveries.SCHEDULE);
  const found = delivery && endpointKnown(delivery);
  if (found === undefined || whyStopped(found.endpoint, delivery!) !== null) return undefined;
  return { delivery, isBusy: false, isScarce: false, lapsed: [], found, body: Buffer.from(message.announced!.body) };
};

const readThem = async (messages: readonly DeliveryDue[]): Promise<deliveries.DeliveryContext[]> => {
  const turns = await deliveries.loadContexts(messages);
  for (const [n, { found, isBusy }] of turns.entries())
    if (found === undefined || isBusy) forgetEndpoint(messages[n]!);
    else rememberEndpoint(found);
  return turns;
};

/**
 * Returns the contexts of all messages of a batch. Contexts that the messages do not contain are read in one request.
 */
export const readContexts = async (messages: readonly DeliveryDue[]): Promise<ContextsAhead> => {
  const ahead = new Map<DeliveryDue, deliveries.DeliveryContext>();
  const untold: DeliveryDue[] = [];
  for (const message of messages) {
    const turn = contextFromMessage(message);
    if (turn === undefined) untold.push(message);
    else ahead.set(message, turn);
  }
  const turns = untold.length === 0 ? [] : await readThem(untold);
  for (const [n, message] of untold.entries()) ahead.set(message, turns[n]!);
  return ahead;
};

export const deliver = async (message: DeliveryDue, { ahead }: ReadAhead<ContextsAhead>): Promise<void> => {
  try {
    await processDelivery(message, mustGet(ahead, message));
  } catch (error) {
    // Another worker or the sweeper moved the delivery. The newer decision counts.
    if (!(error instanceof deliveries.DeliveryConflict)) throw error;
  }
};

const processDelivery = async (message: DeliveryDue, ahead: deliveries.DeliveryContext): Promise<void> => {
  let turn = ahead;
  for (let attempts = 1; ; attempts++) {
    const { delivery, lapsed } = turn;
    if (delivery?.status !== 'pending' || delivery.generation !== message.generation) return;
    if (untilDueMs(delivery, nowMs()) > 0) return waitUntilDue(delivery);
    await dropLapsed(delivery, lapsed);
    if (attempts > WEBHOOK_LIMITS.webhookClaimAttemptsMax || (await mustWait(turn))) return waitForSlot(delivery);
    try {
      return await makeAttempt(delivery, turn);
    } catch (error) {
      if (!(error instanceof ClaimConflict)) throw error;
    }
    // The last slot was taken, the message was outdated, or url or secret changed. Read and try again.
    turn = (await readThem([message]))[0]!;
  }
};

const mustWait = async (turn: deliveries.DeliveryContext): Promise<boolean> =>
  turn.isBusy || (await letsOthersPass(turn));

/**
 * True if a retry must leave its slot to a first attempt that was due earlier. First attempts that are due later have
 * no priority, so that the retry is eventually made. A manual resend never waits for other deliveries.
 */
const letsOthersPass = async ({ delivery, isScarce }: deliveries.DeliveryContext): Promise<boolean> =>
  isScarce && delivery!.attempts > 0 && !delivery!.resend && (await deliveries.isFirstWaiting(delivery!));

/**
 * Sends the message again with the remaining delay, under a new generation. So a duplicated message does not start a
 * second chain of messages.
 */
const waitUntilDue = async (delivery: Delivery): Promise<void> => {
  const waiting = postpone(delivery, Date.parse(delivery.nextCheckAt ?? delivery.createdAt));
  await deliveries.advance(delivery, waiting);
  await enqueueDelivery(deliveryMessage(waiting));
};

/**
 * The longer a delivery waits, the less often it checks for a slot. So a long queue before a slow receiver stays cheap.
 */
const waitForSlot = async (delivery: Delivery): Promise<void> => {
  const waitedMs = -untilDueMs(delivery, nowMs());
  const delayMs = Math.min(
    WEBHOOK_LIMITS.webhookBusyWaitMaxMs,
    Math.max(WEBHOOK_LIMITS.webhookBusyWaitMs, waitedMs / 2),
  );
  const waiting = postpone(delivery, deliveries.recheckAtMs(delivery) + delayMs);
  await deliveries.deferDelivery(delivery, waiting);
  await enqueueDelivery(deliveryMessage(waiting), delayMs);
};

/**
 * Everything that can fail on our side happens before the claim, so that it does not cost the delivery an attempt. Waits
 * for a busy service of AWS leave time for the request: otherwise the message returns to its queue.
 */
const makeAttempt = async (delivery: Delivery, turn: deliveries.DeliveryContext): Promise<void> => {
  const prepared = await withReserve(WEBHOOK_LIMITS.webhookAttemptReserveMs, () => prepareAttempt(delivery, turn));
  if (prepared === undefined) return;
  const { claimed, endpoint, secret, atMs } = prepared;
  const body = turn.body!;
  const signed = signedHeaders(secret, claimed.id, toSignedSeconds(atMs), body);
  const headers = { ...unsignedHeaders(claimed), ...signed };
  const result = await attemptWebhook({ url: endpoint.url, headers, body }, { policy: policyOfStage() });
  await recordOutcome(claimed, settle(claimed, result, nowMs(), deliveries.SCHEDULE), endpoint);
};

/** Claims the attempt. Returns undefined if the delivery was stopped. */
const prepareAttempt = async (delivery: Delivery, { found }: deliveries.DeliveryContext) => {
  const { organizationId, endpointId } = delivery;
  const reason = whyStopped(found?.endpoint, delivery);
  if (found === undefined || reason !== null) {
    await deliveries.stopDelivery(delivery, reason ?? STOPPED.deleted);
    return undefined;
  }
  const { endpoint } = found;
  const secret = await openSecret(organizationId, endpointId, found.secret);
  const atMs = nowMs();
  const claimed = claim(delivery, { id: newId(), atMs }, deliveries.SCHEDULE);
  await deliveries.claimAttempt(delivery, claimed, endpoint);
  record('DeliveryLag', -untilDueMs(delivery, nowMs()), {});
  return { claimed, endpoint, secret, atMs };
};

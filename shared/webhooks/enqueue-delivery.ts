/**
 * Sends messages about deliveries. The endpoint is the message group, so a slow receiver does not delay other
 * receivers.
 */

import { send } from '#shared/messaging/send.ts';
import { nowMs } from '#shared/platform/clock.ts';
import type { DeliveryMessage } from './delivery.rules.ts';

/**
 * Sends the message of a delivery.
 * @param delayMs replaces the time until the attempt is due; above 15 minutes, the worker that gets the message sends
 * it again with the remaining time
 */
export const enqueueDelivery = async (hint: DeliveryMessage, delayMs?: number): Promise<void> => {
  const untilMs = delayMs ?? Date.parse(hint.dueAt) - nowMs();
  await send('webhook-deliveries', hint, {
    // The delay is rounded up, because a message that comes early must be sent again.
    delaySeconds: Math.max(0, Math.ceil(untilMs / 1000)),
    groupId: hint.endpointId,
  });
};

/**
 * Sends the messages of new deliveries, after the transaction that created them. If a message is lost, the sweeper
 * sends it a minute later.
 */
export const enqueueDeliveries = async (hints: readonly DeliveryMessage[]): Promise<void> => {
  await Promise.all(hints.map((hint) => enqueueDelivery(hint)));
};

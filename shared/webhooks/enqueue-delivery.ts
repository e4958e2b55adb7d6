/** Messages about deliveries. The endpoint is the message group: a slow receiver does not hold up the others. */

import { send } from '#shared/messaging/send.ts';
import { nowMs } from '#shared/platform/clock.ts';
import type { DeliveryMessage } from './delivery.rules.ts';

/** @param delayMs in place of the time until it is due; longer than 15 minutes, the receiver sends itself the rest */
export const enqueueDelivery = async (hint: DeliveryMessage, delayMs?: number): Promise<void> => {
  const untilMs = delayMs ?? Date.parse(hint.dueAt) - nowMs();
  await send('webhook-deliveries', hint, {
    // Rounded up: a message that comes early is only sent again.
    delaySeconds: Math.max(0, Math.ceil(untilMs / 1000)),
    groupId: hint.endpointId,
  });
};

/** After the transaction that made them. A lost message costs time: the sweeper looks a minute later. */
export const enqueueDeliveries = async (hints: readonly DeliveryMessage[]): Promise<void> => {
  await Promise.all(hints.map((hint) => enqueueDelivery(hint)));
};

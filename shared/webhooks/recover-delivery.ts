/**
 * What the sweeper does about a delivery whose time has passed: its message was lost or is stuck behind others, or the
 * worker of its attempt died. Called for keys of the due index, which may be behind: the item itself decides.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { hintOf, interrupt, isInterrupted, remind } from './delivery.rules.ts';
import * as deliveries from './delivery.store.ts';
import { hintDelivery } from './enqueue-delivery.ts';
import { recordOutcome } from './record-outcome.ts';

export interface DeliveryKey {
  organizationId: string;
  endpointId: string;
  deliveryId: string;
}

/**
 * Does nothing when there is nothing to do or another one did it.
 * @param waits is told since when the attempt is due, in milliseconds since the epoch
 */
export const redriveDelivery = async (
  { organizationId, endpointId, deliveryId }: DeliveryKey,
  waits: (sinceMs: number) => void = () => {},
): Promise<void> => {
  const delivery = await deliveries.find(organizationId, endpointId, deliveryId);
  if (delivery?.lookAt == null || Date.parse(delivery.lookAt) > nowMs()) return;
  try {
    if (isInterrupted(delivery, nowMs())) {
      await recordOutcome(delivery, interrupt(delivery, nowMs(), deliveries.SCHEDULE));
      return;
    }
    if (delivery.dueAt !== null) waits(Date.parse(delivery.dueAt));
    // The hop stays: a queue may be behind, and a reminder must not make the message before it stale.
    const reminded = remind(delivery, deliveries.nextLookMs(delivery));
    await deliveries.advance(delivery, reminded);
    await hintDelivery(hintOf(reminded));
  } catch (error) {
    if (!(error instanceof deliveries.DeliveryMoved)) throw error;
  }
};

/**
 * Handles an overdue delivery for the sweeper: its message was lost or is stuck behind other messages, or the worker of
 * its attempt died. The keys come from the due index, which may be outdated, so the delivery's item decides.
 */

import { nowMs } from '#shared/platform/clock.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { deliveryMessage, interrupt, isInterrupted, remind } from './delivery.rules.ts';
import * as deliveries from './delivery.store.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { recordOutcome } from './record-outcome.ts';

export interface DeliveryKey {
  organizationId: OrganizationId;
  endpointId: string;
  deliveryId: string;
}

/**
 * Recovers the delivery. Does nothing if it is not overdue or another worker was faster.
 * @param waits receives the time since which the attempt is due, in epoch milliseconds
 */
export const recoverDelivery = async (
  { organizationId, endpointId, deliveryId }: DeliveryKey,
  waits: (sinceMs: number) => void = () => {},
): Promise<void> => {
  const delivery = await deliveries.find(organizationId, endpointId, deliveryId);
  if (delivery?.nextCheckAt == null || Date.parse(delivery.nextCheckAt) > nowMs()) return;
  try {
    if (isInterrupted(delivery, nowMs())) {
      await recordOutcome(delivery, interrupt(delivery, nowMs(), deliveries.SCHEDULE));
      return;
    }
    if (delivery.dueAt !== null) waits(Date.parse(delivery.dueAt));
    // The generation stays the same, because the queue may only be slow and a reminder must not make the earlier
    // message stale.
    const reminded = remind(delivery, deliveries.recheckAtMs(delivery));
    await deliveries.advance(delivery, reminded);
    await enqueueDelivery(deliveryMessage(reminded));
  } catch (error) {
    if (!(error instanceof deliveries.DeliveryConflict)) throw error;
  }
};

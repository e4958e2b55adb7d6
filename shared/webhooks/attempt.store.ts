/**
 * Earlier attempts of deliveries. The delivery itself describes its last attempt, and the next claim stores that attempt
 * as an item before it overwrites the description. So a first attempt writes nothing more, each later one writes one
 * unit more, and an attempt whose worker died is stored like every other.
 */
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { type AttemptRecord, AttemptSchema, readLastAttempt } from './attempts.rules.ts';
import type { Delivery } from './delivery.rules.ts';

export const attemptItem = item('webhook attempt', AttemptSchema);

/**
 * Stores the delivery's last attempt, whose facts no longer change, until the delivery expires. Does nothing before the
 * first attempt; a repeated write stores the same.
 */
export const storeLast = async (delivery: Delivery): Promise<void> => {
  const last = readLastAttempt(delivery);
  if (last === undefined) return;
  const { organizationId, endpointId, id, createdAt } = delivery;
  await table.put({
    ...keys.webhookAttempt(organizationId, endpointId, id, last.number),
    ...attemptItem.toItem(last),
    expires_at_epoch: Math.floor(Date.parse(createdAt) / 1000) + RETENTION_SECONDS,
  });
};

/** Returns the newest stored attempts, oldest first. */
export const listStored = async ({ organizationId, endpointId, id }: Delivery): Promise<AttemptRecord[]> => {
  const { pk, prefix } = keys.webhookAttempts(organizationId, endpointId, id);
  const limit = WEBHOOK_LIMITS.webhookAttemptsShownMax;
  return (await table.query(pk, { prefix, descending: true, limit })).map(attemptItem.fromItem).reverse();
};

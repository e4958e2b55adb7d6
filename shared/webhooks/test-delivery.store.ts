/** Test deliveries: their quota, and their items. */
import { keys } from '#shared/table/keys.ts';
import { countInMinute, type MinuteQuota } from '#shared/table/minute-quota.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import type { Delivery } from './delivery.rules.ts';
import { DeliveryExists, find, putDelivery } from './delivery.store.ts';

/**
 * Counts a test delivery of the organization in the current minute.
 *
 * @throws QuotaSpent
 */
export const countTest = (organizationId: OrganizationId): Promise<MinuteQuota> =>
  countInMinute((minute) => keys.webhookTests(organizationId, minute), { tests: WEBHOOK_LIMITS.webhookTestsPerMinute });

/** Stores a test delivery. Returns the stored one if an earlier call with the same id stored it. */
export const createOnce = async (test: Delivery, body: Uint8Array): Promise<Delivery> => {
  try {
    await table.transact([putDelivery(test, body)]);
    return test;
  } catch (error) {
    if (!(error instanceof DeliveryExists)) throw error;
    return (await find(test.organizationId, test.endpointId, test.id)) ?? test;
  }
};

/** Limits how many syncs an organization may start per minute. */
import { envOr } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { keys } from '#shared/table/keys.ts';
import { countInMinute, type MinuteQuota } from '#shared/table/minute-quota.ts';
import type { OrganizationId } from '#shared/values/ids.ts';

/**
 * Counts a sync start of the organization in the current minute.
 *
 * @throws QuotaSpent
 */
export const countSyncStart = (organizationId: OrganizationId): Promise<MinuteQuota> => {
  const starts = Number(envOr(VARIABLES.syncStartsPerMinute, String(SYNC_LIMITS.syncStartsPerMinute)));
  return countInMinute((minute) => keys.syncStarts(organizationId, minute), { starts });
};

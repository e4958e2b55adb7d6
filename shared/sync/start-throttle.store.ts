/** Counters that throttle (decisions.md §1): one item per organization and minute, gone by TTL. */

import { nowMs } from '#shared/platform/clock.ts';
import { envOr } from '#shared/platform/env.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';

/** Sync starts of an organization in the present minute. */
export interface StartQuota {
  max: number;
  left: number;
  /** Until the minute is over; at least 1. */
  seconds: number;
}

export class TooManyStarts extends AppError {
  readonly quota: StartQuota;
  constructor(quota: StartQuota) {
    super('too many sync starts');
    this.quota = quota;
  }
}

const MINUTE_MS = 60_000;

/** Counts a sync start of the organization in the present minute, or throws `TooManyStarts`. */
export const countSyncStart = async (organizationId: OrganizationId): Promise<StartQuota> => {
  const minute = Math.floor(nowMs() / MINUTE_MS);
  const max = Number(envOr(VARIABLES.syncStartsPerMinute, String(LIMITS.syncStartsPerMinute)));
  const seconds = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - nowMs()) / 1000));
  const { starts } = await table.update(keys.syncStarts(organizationId, minute), {
    add: { starts: 1 },
    set: { expires_at_epoch: (minute + 5) * 60 },
    if: 'attribute_not_exists(#starts) OR #starts < :max',
    values: { max },
    otherwise: () => new TooManyStarts({ max, left: 0, seconds }),
  });
  return { max, left: Math.max(0, max - Number(starts)), seconds };
};

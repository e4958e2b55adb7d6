/** Counters that throttle (decisions.md §1): one item per organization and minute, gone by TTL. */

import { nowMs } from '#shared/platform/clock.ts';
import { envOr } from '#shared/platform/env.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';

export class TooManyStarts extends AppError {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super('too many sync starts');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const MINUTE_MS = 60_000;

/** Counts a sync start of the organization in the present minute, or throws `TooManyStarts`. */
export const countSyncStart = async (organizationId: OrganizationId): Promise<void> => {
  const minute = Math.floor(nowMs() / MINUTE_MS);
  const max = Number(envOr(VARIABLES.syncStartsPerMinute, String(LIMITS.syncStartsPerMinute)));
  await table.update(keys.syncStarts(organizationId, minute), {
    add: { starts: 1 },
    set: { expires_at_epoch: (minute + 5) * 60 },
    if: 'attribute_not_exists(#starts) OR #starts < :max',
    values: { max },
    otherwise: () => new TooManyStarts(Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - nowMs()) / 1000))),
  });
};

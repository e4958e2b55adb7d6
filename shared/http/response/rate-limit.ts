/**
 * Builds the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), on endpoints with a
 * throttle.
 */

import { QuotaSpent } from '#shared/table/minute-quota.ts';
import { ApiError } from './errors.ts';

export interface Quota {
  /** Requests allowed per window. */
  max: number;
  /** Requests left in this window. */
  left: number;
  /** Seconds until the window ends. */
  seconds: number;
}

const WINDOW_SECONDS = 60;

/** @param name name of the policy, e.g. `sync-starts` */
export const rateLimitHeaders = (name: string, { max, left, seconds }: Quota): Record<string, string> => ({
  'ratelimit-policy': `"${name}";q=${max};w=${WINDOW_SECONDS}`,
  ratelimit: `"${name}";r=${left};t=${seconds}`,
});

/** Returns the 429 for a spent quota, and any other error unchanged. */
export const refuseSpent = (error: unknown, name: string, message: string): unknown =>
  error instanceof QuotaSpent
    ? new ApiError('rate_limited', message, {
        headers: { ...rateLimitHeaders(name, error.quota), 'retry-after': String(error.quota.seconds) },
      })
    : error;

/**
 * Builds the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), on endpoints with a
 * throttle.
 */

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

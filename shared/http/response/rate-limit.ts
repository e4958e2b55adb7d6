/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), where a throttle of ours applies. */

export interface Quota {
  /** Requests in a window. */
  max: number;
  /** Requests left in this window. */
  left: number;
  /** Until the window is over. */
  seconds: number;
}

const WINDOW_SECONDS = 60;

/** @param name of the policy, e.g. `sync-starts` */
export const rateLimitHeaders = (name: string, { max, left, seconds }: Quota): Record<string, string> => ({
  'ratelimit-policy': `"${name}";q=${max};w=${WINDOW_SECONDS}`,
  ratelimit: `"${name}";r=${left};t=${seconds}`,
});

/** The throttling of an HTTP API's stage. A token bucket fills at a steady rate, and each request takes one token. */
import type { ApiModel } from './model.ts';

/**
 * Returns a function that returns true if a request may pass now. It uses the machine's clock, because the virtual
 * clock may jump while requests arrive in real time.
 */
export const createThrottle = ({ rateLimit, burstLimit }: ApiModel['throttle']): (() => boolean) => {
  let tokens = burstLimit;
  let atMs = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(burstLimit, tokens + ((now - atMs) / 1000) * rateLimit);
    atMs = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
};

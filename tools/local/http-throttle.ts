/** The throttling of an HTTP API's stage: a token bucket that fills at a steady rate; each request takes one token. */
import type { ApiModel } from './model.ts';

/**
 * Returns a function that returns true if a request may pass now. It uses the machine's clock: requests come in real
 * time, also when the virtual clock jumps.
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

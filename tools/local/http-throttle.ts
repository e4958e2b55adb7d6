/** The throttling of an HTTP API's stage: a bucket of tokens that fills at a steady rate, one token a request. */
import type { ApiModel } from './model.ts';

/** Whether a request may pass now. By the machine's clock: requests come in real time, however the virtual clock jumps. */
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

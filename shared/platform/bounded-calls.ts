/**
 * Timeouts of the AWS clients. They are in a separate file, so that a function bundles only the clients that it uses.
 */
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';

/**
 * Returns options for a client: up to `tries` attempts. Each attempt may take at most `callMs` until the headers come
 * and between two parts of the body. By default the SDK waits forever (AWS documentation).
 */
export const bounded = (callMs: number, tries: number) => ({
  maxAttempts: tries,
  requestHandler: {
    connectionTimeout: Math.min(PLATFORM_LIMITS.awsConnectMs, callMs),
    requestTimeout: callMs,
    // Limits the wait for a body that stops in the middle.
    socketTimeout: callMs,
    // Without this option, the SDK only logs a warning when a request exceeds its timeout.
    throwOnRequestTimeout: true,
  },
});

/** Timeouts of the AWS clients. In a file of its own, so that a function bundles only the clients that it uses. */
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';

/**
 * Options for a client: up to `tries` attempts, each with at most `callMs` until the headers come and between two parts
 * of the body. By default the SDK waits forever (AWS documentation).
 */
export const bounded = (callMs: number, tries: number) => ({
  maxAttempts: tries,
  requestHandler: {
    connectionTimeout: Math.min(PLATFORM_LIMITS.awsConnectMs, callMs),
    requestTimeout: callMs,
    // For a body that stops in the middle.
    socketTimeout: callMs,
    // Otherwise the SDK only logs a warning when a request takes longer.
    throwOnRequestTimeout: true,
  },
});

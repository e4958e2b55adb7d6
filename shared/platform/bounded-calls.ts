/** How long the clients of AWS wait. Apart from them: a function carries only those that it uses. */
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';

/**
 * One call of a client: a service that hangs is asked `tries` times, and each time `callMs` may pass until its headers
 * come and between two pieces of its body. By AWS's documents the SDK waits for ever else.
 */
export const bounded = (callMs: number, tries: number) => ({
  maxAttempts: tries,
  requestHandler: {
    connectionTimeout: Math.min(PLATFORM_LIMITS.awsConnectMs, callMs),
    requestTimeout: callMs,
    // A body that stops on its way.
    socketTimeout: callMs,
    // Without it the SDK would only warn of a request that takes longer.
    throwOnRequestTimeout: true,
  },
});

/**
 * The virtual clock as a thread reads it: the machine's clock plus an offset in shared memory. A separate module
 * without other imports, because every execution environment loads it at its cold start.
 */
import { plantClock } from '#shared/platform/clock.ts';

/** Read before anything replaces `Date.now`, as the queue thread does. */
export const machineNowMs = Date.now;

export const readOffsetMs = (shared: SharedArrayBuffer): number => Number(Atomics.load(new BigInt64Array(shared), 0));

/** Virtual milliseconds since the epoch. */
export const sharedNowMs = (shared: SharedArrayBuffer): number => machineNowMs() + readOffsetMs(shared);

/** Called in a thread before the first module that reads the clock. */
export const plantSharedClock = (shared: SharedArrayBuffer): void => plantClock(() => sharedNowMs(shared));

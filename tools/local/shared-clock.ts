/**
 * The virtual clock as a thread sees it: the machine's clock plus an offset in shared memory. A module of its own,
 * because every execution environment loads it at its cold start: nothing but this may come along.
 */
import { plantClock } from '#shared/platform/clock.ts';

/** Taken before anything replaces `Date.now`, as the queue thread does. */
export const machineNowMs = Date.now;

export const readOffsetMs = (shared: SharedArrayBuffer): number => Number(Atomics.load(new BigInt64Array(shared), 0));

/** Milliseconds since the epoch, virtual. */
export const sharedNowMs = (shared: SharedArrayBuffer): number => machineNowMs() + readOffsetMs(shared);

/** In a thread, before the first module that reads the clock does so. */
export const plantSharedClock = (shared: SharedArrayBuffer): void => plantClock(() => sharedNowMs(shared));

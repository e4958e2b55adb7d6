/**
 * The virtual clock as a thread reads it: the machine's clock plus an offset in shared memory. This module imports as
 * little as possible, because every execution environment loads it at its cold start.
 */
import { plantClock } from '#shared/platform/clock.ts';

/** The machine's clock. It is read here when this module is loaded, before the queue thread replaces `Date.now`. */
export const machineNowMs = Date.now;

export const readOffsetMs = (shared: SharedArrayBuffer): number => Number(Atomics.load(new BigInt64Array(shared), 0));

/** Returns virtual milliseconds since the epoch. */
export const sharedNowMs = (shared: SharedArrayBuffer): number => machineNowMs() + readOffsetMs(shared);

/** Sets the clock of a thread; must be called before the first module that reads the clock is loaded. */
export const plantSharedClock = (shared: SharedArrayBuffer): void => plantClock(() => sharedNowMs(shared));

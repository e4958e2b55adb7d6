/**
 * The single virtual clock of the local stack: the machine's clock plus an offset in shared memory, so that every
 * thread (functions, queues, sandboxes) sees a jump at the same instant. Time only moves forward, also across restarts:
 * a file stores the offset and the last virtual time.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { machineNowMs, readOffsetMs, sharedNowMs } from './shared-clock.ts';
import { createSpareWrite } from './spare-writes.ts';

/** Two centuries in ms. A larger value is a typing error, and would soon exceed the range of `Date`. */
export const ADVANCE_MS_MAX = 6_311_520_000_000;
const REMEMBER_EVERY_MS = 1_000;
/**
 * Difference in ms from the receiver's clock above which receivers reject the timestamp of a signature (Standard
 * Webhooks).
 */
const TOLERATED_MS = 300_000;
const HOUR_MS = 3_600_000;

/**
 * Returns a sentence that warns about a clock that is ahead; undefined while the difference is small enough for
 * receivers.
 */
export const tellAhead = (offsetMs: number): string | undefined =>
  offsetMs <= TOLERATED_MS
    ? undefined
    : `the clock is ${(offsetMs / HOUR_MS).toFixed(1)} h ahead: receivers with real clocks reject webhooks as too new; \`npm run reset\` resets it`;

const Kept = z.object({ offset_ms: z.number(), seen_ms: z.number() });

export interface VirtualClock {
  /** Shared memory with the clock's offset; every thread passes it to `plantSharedClock`. */
  readonly shared: SharedArrayBuffer;
  /** Virtual milliseconds since the epoch. */
  nowMs(): number;
  offsetMs(): number;
  /** Moves time forward. Throws `RangeError` unless `ms` is a whole number from 0 to `ADVANCE_MS_MAX`. */
  advance(ms: number): void;
  /** Calls `listener` after each jump. Returns a function that removes the listener. */
  onJump(listener: () => void): () => void;
  close(): void;
}

const keptOffset = (file: string): number => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return 0; // The file does not exist before the first start.
  }
  const kept = Kept.parse(JSON.parse(text));
  // If the machine's clock was set back since the last start, a larger offset prevents that the virtual time also goes
  // back.
  return Math.max(kept.offset_ms, kept.seen_ms - machineNowMs());
};

export const createClock = (file: string): VirtualClock => {
  const shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const offset = new BigInt64Array(shared);
  const listeners = new Set<() => void>();
  mkdirSync(dirname(file), { recursive: true });
  Atomics.store(offset, 0, BigInt(Math.ceil(keptOffset(file))));

  const remember = () => {
    const kept = { offset_ms: readOffsetMs(shared), seen_ms: sharedNowMs(shared) };
    writeFileSync(`${file}.new`, JSON.stringify(kept));
    renameSync(`${file}.new`, file);
  };
  // Writes the file once before the timer does, so that the start fails when the folder is not writable.
  remember();
  const spareWrite = createSpareWrite('the clock');
  const timer = setInterval(() => spareWrite(remember), REMEMBER_EVERY_MS).unref();

  return {
    shared,
    nowMs: () => sharedNowMs(shared),
    offsetMs: () => readOffsetMs(shared),
    advance(ms) {
      if (!Number.isInteger(ms) || ms < 0 || ms > ADVANCE_MS_MAX)
        throw new RangeError(`advance_ms must be a whole number between 0 and ${ADVANCE_MS_MAX}`);
      Atomics.add(offset, 0, BigInt(ms));
      spareWrite(remember);
      for (const listener of listeners) listener();
    },
    onJump(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearInterval(timer);
      spareWrite(remember);
    },
  };
};

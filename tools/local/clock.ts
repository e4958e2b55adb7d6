/**
 * ONE virtual clock for the whole local stack: the machine's clock plus an offset that lives in shared memory, so that
 * every thread (functions, queues, sandboxes) sees a jump at the same instant. Time never goes back, not even over a
 * restart: offset and the last moment seen are kept in a file.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { machineNowMs, readOffsetMs, sharedNowMs } from './shared-clock.ts';
import { createSpareWrite } from './spare-writes.ts';

/** Two centuries. More is a slip of the hand, and `Date` ends soon after. */
export const ADVANCE_MS_MAX = 6_311_520_000_000;
const REMEMBER_EVERY_MS = 1_000;
/** Receivers that verify refuse a timestamp that is further off (Standard Webhooks). */
const TOLERATED_MS = 300_000;
const HOUR_MS = 3_600_000;

/** What a clock that is ahead means, in a sentence; undefined while nobody notices. */
export const tellAhead = (offsetMs: number): string | undefined =>
  offsetMs <= TOLERATED_MS
    ? undefined
    : `the clock is ${(offsetMs / HOUR_MS).toFixed(1)} h ahead, for good: receivers with a clock of their own refuse webhooks as too new; \`npm run reset\` begins anew`;

const Kept = z.object({ offset_ms: z.number(), seen_ms: z.number() });

export interface VirtualClock {
  /** Hand it to `plantSharedClock` in every thread. */
  readonly shared: SharedArrayBuffer;
  /** Milliseconds since the epoch, virtual. */
  nowMs(): number;
  offsetMs(): number;
  /** Moves time forward. Throws `RangeError` for anything but 0..`ADVANCE_MS_MAX` in whole milliseconds. */
  advance(ms: number): void;
  /** Called after each jump. Returns the way to stop it. */
  onJump(listener: () => void): () => void;
  close(): void;
}

const keptOffset = (file: string): number => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return 0; // First start.
  }
  const kept = Kept.parse(JSON.parse(text));
  // A machine whose clock was set back in between must not take the table's time back with it.
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
  // A folder that cannot be written to at all is refused at the start.
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

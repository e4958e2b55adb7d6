/** Makes ids: UUIDv7 from the service clock, so that the order of ids is the order of creation. */
import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { nowMs } from './clock.ts';

export const newId = (): string => v7({ msecs: nowMs() });

/**
 * Returns the same id for the same seed and instant. So a repetition of an interrupted create finds what the first
 * attempt created.
 */
export const derivedId = (seed: string, atMs: number): string =>
  v7({ msecs: atMs, random: createHash('sha256').update(seed).digest().subarray(0, 16) });

/** Returns when a UUIDv7 was created, or null if the id is not a UUIDv7. */
export const parseInstant = (id: string): string | null =>
  id[14] === '7' ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString() : null;

/** Returns an id that sorts after all ids up to this millisecond. */
export const lastIdAt = (atMs: number): string => v7({ msecs: atMs, random: new Uint8Array(16).fill(0xff) });

/**
 * Returns when an id of this service was created, in epoch milliseconds: the first 48 bits of a UUIDv7 (RFC 9562 §5.7).
 */
export const madeAtMs = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

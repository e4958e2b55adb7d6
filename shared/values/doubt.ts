/** Decides when a reading that contradicts stored data is believed (ADR 16, ADR 36). Pure. */
import { hash } from 'node:crypto';

const HASH_CHARS = 8;

/** Returns a hash of eight characters. What a doubted reading shows is stored as such hashes, joined. */
export const shortHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, HASH_CHARS);

const HASHES = new RegExp(`.{${HASH_CHARS}}`, 'g');

export const splitHashes = (joined: string): Set<string> => new Set(joined.match(HASHES));

/** @param max most hashes that are stored; the first ones represent all */
export const joinHashes = (hashes: ReadonlySet<string>, max: number): string =>
  [...hashes].sort().slice(0, max).join('');

interface StoredDoubt {
  /** Joined hashes of what the first doubted reading shows. */
  shown: string;
  firstSeenMs: number;
}

/**
 * Returns since when the reading is doubted, and whether it is believed: it shows everything that the stored doubt
 * shows, and the wait is over. Otherwise the wait begins now.
 *
 * @param waitMs time for which a doubted reading must stay the same
 */
export const weighDoubt = (
  before: StoredDoubt | undefined,
  shown: ReadonlySet<string>,
  { atMs, waitMs }: { atMs: number; waitMs: number },
): { firstSeenMs: number; isSame: boolean; isBelieved: boolean } => {
  const known = before === undefined ? [] : [...splitHashes(before.shown)];
  const isSame = before !== undefined && known.length > 0 && known.every((one) => shown.has(one));
  const firstSeenMs = isSame ? before.firstSeenMs : atMs;
  return { firstSeenMs, isSame, isBelieved: atMs - firstSeenMs >= waitMs };
};

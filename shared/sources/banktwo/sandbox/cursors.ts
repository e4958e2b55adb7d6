/** Issued cursors. A cursor is valid only for its query, and for 5 minutes (banks.md §3.2). */
import { keepNewest, type Memory } from '../../sandbox-kit/memory.ts';

const LIFE_MS = 5 * 60_000;
/** Number of cursors that are stored. Clients read one page after the other, so they use only the newest cursors. */
const KEPT_MAX = 500;

export interface Cursors {
  give(query: readonly string[]): void;
  judge(query: readonly string[]): 'good' | 'expired' | 'unknown';
  expireAll(): void;
}

export const createCursors = (now: () => number, memory: Memory): Cursors => {
  const given = memory.map<number>('cursors');
  const keyOf = (query: readonly string[]): string => JSON.stringify(query);
  return {
    give: (query) => keepNewest(given, keyOf(query), now(), KEPT_MAX),
    judge: (query) => {
      const at = given.get(keyOf(query));
      if (at === undefined) return 'unknown';
      return now() - at > LIFE_MS ? 'expired' : 'good';
    },
    expireAll: () => {
      for (const key of given.keys()) given.set(key, Number.NEGATIVE_INFINITY);
    },
  };
};

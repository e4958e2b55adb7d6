/** Cursors that were given out: known for their query alone, and too old after 5 minutes (banks.md §3.2). */
import { keepNewest, type Memory } from '../../sandbox-kit/memory.ts';

const LIFE_MS = 5 * 60_000;
/** Clients turn one page after the other: they ask with the newest. */
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

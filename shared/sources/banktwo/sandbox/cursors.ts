/** Cursors that were given out: known for their query alone, and too old after 5 minutes (banks.md §3.2). */
const LIFE_MS = 5 * 60_000;
const KEPT_MAX = 5_000;

export interface Cursors {
  give(query: readonly string[]): void;
  judge(query: readonly string[]): 'good' | 'expired' | 'unknown';
  expireAll(): void;
}

export const createCursors = (now: () => number): Cursors => {
  const given = new Map<string, number>();
  const keyOf = (query: readonly string[]): string => JSON.stringify(query);
  return {
    give: (query) => {
      if (given.size >= KEPT_MAX) given.delete(given.keys().next().value!);
      given.set(keyOf(query), now());
    },
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

/** Random values from a seed, so that a failing case can be repeated. */
export interface Random {
  /** An integer, both ends included. */
  int(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
  maybe<T>(value: T, probability?: number): T | null;
}

/** mulberry32: 2^32 states are enough for test data. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const chance = (probability: number): boolean => next() < probability;
  return {
    int,
    chance,
    pick: (list) => list[int(0, list.length - 1)]!,
    maybe: (value, probability = 0.85) => (chance(probability) ? value : null),
  };
};

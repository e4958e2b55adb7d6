/**
 * Random numbers of the sandboxes from a seed. They are the same in every process, so that a restarted sandbox has the
 * same data.
 */
export interface Random {
  /** Returns a number n with 0 ≤ n < 1. */
  next(): number;
  int(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Hashes a text by FNV-1a. It is used only to spread seeds and protects no secret. */
const hash = (text: string): number => {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
};

/** Returns a random generator (Mulberry32). */
export const createRandom = (seed: string): Random => {
  let state = hash(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { next, int, pick: (items) => items[int(0, items.length - 1)]! };
};

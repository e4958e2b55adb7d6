/**
 * What a sandbox remembers of those who use it: sessions, tokens, files under way, counters. Everything else follows from
 * the seed and the clock, so that a process which is handed one login's memory answers as any other (docs/adr/0009).
 * On one machine a sandbox keeps a single memory for everybody for as long as it runs.
 */
export interface Memory {
  /** The same map for the same name. Values are JSON; `read` fills it anew, so that it may be held on to. */
  map<Value>(name: string): Map<string, Value>;
  /** 1, 2, 3, … */
  next(name: string): number;
  /** Decided at the first time of asking. */
  once(name: string, decide: () => string): string;
  /** All of it, as text: `''` when there is nothing. */
  write(): string;
  /** Forgets what it holds and remembers what was written. */
  read(text: string): void;
}

type Entries = Record<string, [key: string, value: unknown][]>;

export const createMemory = (): Memory => {
  const maps = new Map<string, Map<string, unknown>>();
  const map = <Value>(name: string): Map<string, Value> => {
    const known = maps.get(name) ?? new Map<string, unknown>();
    maps.set(name, known);
    return known as Map<string, Value>;
  };
  const numbers = map<number>('next');
  const decided = map<string>('once');
  return {
    map,
    next: (name) => countUp(numbers, name),
    once: (name, decide) => {
      const known = decided.get(name) ?? decide();
      decided.set(name, known);
      return known;
    },
    write: () => {
      const filled = [...maps].filter(([, entries]) => entries.size > 0).map(([name, entries]) => [name, [...entries]]);
      return filled.length === 0 ? '' : JSON.stringify(Object.fromEntries(filled));
    },
    read: (text) => {
      for (const entries of maps.values()) entries.clear();
      for (const [name, entries] of Object.entries(text === '' ? {} : (JSON.parse(text) as Entries)))
        for (const [key, value] of entries) map(name).set(key, value);
    },
  };
};

export const countUp = <Key>(counts: Map<Key, number>, key: Key): number => {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
};

/** Puts it in as the newest; the oldest go where there would be more than `max`. */
export const keepNewest = <Value>(kept: Map<string, Value>, key: string, value: Value, max: number): void => {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= max) break;
    kept.delete(oldest);
  }
};

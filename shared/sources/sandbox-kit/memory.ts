/**
 * State that a sandbox stores about its clients: sessions, tokens, files in progress, counters. Everything else follows
 * from the seed and the clock, so a process that receives one login's memory answers exactly like any other process
 * (docs/adr/0009). On one machine a sandbox has a single memory for all logins as long as it runs.
 */
export interface Memory {
  /** Returns the same map for the same name. Values are JSON; `read` refills the map, so callers may hold on to it. */
  map<Value>(name: string): Map<string, Value>;
  /** 1, 2, 3, … */
  next(name: string): number;
  /** Calls `decide` the first time and returns the same result afterwards. */
  once(name: string, decide: () => string): string;
  /** The whole memory as text; `''` when it is empty. */
  write(): string;
  /** Replaces the memory with the written one. */
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

/** Inserts a value as the newest; removes the oldest ones beyond `max`. */
export const keepNewest = <Value>(kept: Map<string, Value>, key: string, value: Value, max: number): void => {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= max) break;
    kept.delete(oldest);
  }
};

/**
 * State that a sandbox stores about its clients: sessions, tokens, files in progress, counters. All other data follows
 * from the seed and the clock, so a process that receives the memory of one login answers exactly like any other
 * process (docs/adr/0009). On one machine a sandbox has a single memory for all logins as long as it runs.
 */
export interface Memory {
  /**
   * Returns the same map for the same name. Values are JSON. `read` changes the content of the map and not the map
   * itself, so a caller may store the map in a variable.
   */
  map<Value>(name: string): Map<string, Value>;
  /** Returns the next number of a counter: 1, 2, 3, … */
  next(name: string): number;
  /** Calls `decide` at the first call for a name, and stores the result. Every later call returns the stored result. */
  once(name: string, decide: () => string): string;
  /** Returns the whole memory as text; `''` when it is empty. */
  write(): string;
  /** Replaces the memory with the memory that `write` returned as text. */
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

/** Inserts a value as the newest, and removes the oldest values if there are more than `max`. */
export const keepNewest = <Value>(kept: Map<string, Value>, key: string, value: Value, max: number): void => {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= max) break;
    kept.delete(oldest);
  }
};

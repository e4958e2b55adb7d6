/** Reads counted by several instances: no caller is refused early, and none much later than the limit. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AddReads, createReadCounter, type ReadLimit, type ReadPool } from '#shared/http/fair-use/read-counter.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
const EVERY_MS = HTTP_LIMITS.readsAddedEveryMs;
const MIN = HTTP_LIMITS.readsAddedMin;
const POOL: ReadPool = { organizationId: 'o', audience: 'programs' };

const limitsOf = (credential: string, max: number, ofAll = 3 * max): ReadLimit[] => [
  { policy: 'reads', counter: `of_${credential}`, max },
  { policy: 'organization-reads', counter: 'all', max: ofAll },
];

/** The item of the table: additions of all instances. */
const newStore = () => {
  const counters: Record<string, number> = {};
  let additions = 0;
  const add: AddReads = async (_pool, _minute, counts) => {
    additions++;
    for (const [name, count] of Object.entries(counts)) counters[name] = (counters[name] ?? 0) + count;
    return { ...counters };
  };
  return { add, counters, additions: () => additions };
};

const neverFails = (error: unknown): never => {
  throw error;
};

const instancesOf = (count: number, add: AddReads) =>
  Array.from({ length: count }, () => createReadCounter(add, neverFails));

interface Step {
  instance: number;
  credential: number;
  pauseMs: number;
}

const STEPS = fc.array(
  fc.record({
    instance: fc.nat({ max: 3 }),
    credential: fc.nat({ max: 2 }),
    pauseMs: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 700 })),
  }),
  { minLength: 50, maxLength: 400 },
);

const MAX = 25;
const OF_ALL = 60;

/** Reads in the order of the steps, within one minute. */
const readsOf = async (steps: readonly Step[], { add, counters }: ReturnType<typeof newStore>, isAwaited = true) => {
  const instances = instancesOf(4, add);
  let nowMs = AT;
  const reads: { instance: number; credential: number; atMs: number; isRefused: boolean; added?: number }[] = [];
  for (const { instance, credential, pauseMs } of steps) {
    nowMs += pauseMs;
    if (nowMs >= AT + 60_000) break;
    const { isRefused, addition } = instances[instance]!.count(POOL, limitsOf(`${credential}`, MAX, OF_ALL), nowMs);
    if (isAwaited) await addition;
    const added = addition && isAwaited ? { added: counters.all! } : {};
    reads.push({ instance, credential, atMs: nowMs, isRefused, ...added });
  }
  return reads;
};

describe('several instances', () => {
  test.each([true, false])('refuse nobody below a limit (additions are awaited: %s)', async (isAwaited) => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const admitted = { all: 0, of: [0, 0, 0] };
        for (const { credential, isRefused } of await readsOf(steps, newStore(), isAwaited)) {
          if (isRefused) expect(admitted.of[credential]! >= MAX || admitted.all >= OF_ALL).toBe(true);
          else {
            admitted.all++;
            admitted.of[credential]!++;
          }
        }
      }),
    );
  });

  test('refuse after the addition that reaches the limit, at most one interval late', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        /** Reads of each instance that no addition contains. */
        const waiting = [0, 1, 2, 3].map((): number[] => []);
        const isTold = [false, false, false, false];
        for (const { instance, atMs, isRefused, added } of await readsOf(steps, newStore())) {
          if (isRefused) continue;
          expect(isTold[instance]).toBe(false);
          const batch = waiting[instance]!;
          batch.push(atMs);
          if (added === undefined) {
            for (const each of batch.slice(MIN)) expect(each - batch[0]!).toBeLessThan(EVERY_MS);
            continue;
          }
          waiting[instance] = [];
          isTold[instance] = added >= OF_ALL;
        }
      }),
    );
  });

  test('add up to exactly the reads that were admitted', async () => {
    const store = newStore();
    const instances = instancesOf(2, store.add);
    for (let n = 0; n < MIN; n++)
      for (const instance of instances) await instance.count(POOL, limitsOf('a', 100), AT + n).addition;
    expect(store.counters).toEqual({});
    for (const instance of instances) await instance.count(POOL, limitsOf('b', 100), AT + EVERY_MS).addition;
    expect(store.counters).toEqual({ of_a: 2 * MIN, of_b: 2, all: 2 * MIN + 2 });
    // The first instance has not read the second one's addition: it knows only its own reads.
    const left = instances.map((each) => each.count(POOL, limitsOf('c', 100, 100), AT + EVERY_MS).quota().left);
    expect(left).toEqual([100 - MIN - 2, 100 - 2 * MIN - 3]);
  });
});

describe('one instance', () => {
  const reads = async (count: number, store = newStore(), eachMs = 10) => {
    const { count: countRead } = createReadCounter(store.add, neverFails);
    for (let n = 0; n < count; n++) await countRead(POOL, limitsOf('a', 1_000_000), AT + n * eachMs).addition;
    return store.additions();
  };

  test('adds once in 2 s, and never fewer than 10 reads', async () => {
    expect(await reads(1_000)).toBe(4);
    expect(await reads(25, newStore(), 2_000)).toBe(2);
    expect(await reads(9, newStore(), 6_000)).toBe(0);
  });

  test('adds at once when many credentials wait', async () => {
    const store = newStore();
    const { count } = createReadCounter(store.add, neverFails);
    const most = HTTP_LIMITS.readCountersAddedMax;
    for (let n = 1; n < most; n++) await count(POOL, limitsOf(`${n}`, 100), AT).addition;
    expect(store.additions()).toBe(1);
    expect(Object.keys(store.counters)).toHaveLength(most);
  });

  test('counts reads during an addition, and starts no second one', async () => {
    const store = newStore();
    let started = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { count } = createReadCounter(async (...given) => {
      started++;
      await promise;
      return store.add(...given);
    }, neverFails);
    const read = (laterMs: number) => count(POOL, limitsOf('a', 2 * MIN + 1), AT + laterMs);
    for (let n = 1; n < MIN; n++) read(0);
    const { addition } = read(EVERY_MS);
    for (let n = 0; n <= MIN; n++) read((2 + n) * EVERY_MS);
    expect(read(20 * EVERY_MS).isRefused).toBe(true);
    resolve();
    await addition;
    expect([started, store.counters.of_a]).toEqual([1, MIN]);
    expect(read(20 * EVERY_MS).isRefused).toBe(true);
  });

  test('admits after a failed addition, and does not repeat it', async () => {
    const store = newStore();
    const failures: unknown[] = [];
    const failure = new Error('too busy');
    let isBusy = true;
    const { count } = createReadCounter(
      // The table stored the first addition, and its answer was lost.
      async (...given) => {
        const counters = await store.add(...given);
        if (isBusy) throw failure;
        return counters;
      },
      (error) => failures.push(error),
    );
    const max = 2 * MIN + 2;
    const read = (n: number) => count(POOL, limitsOf('a', max), AT + n * 500);
    for (let n = 0; n < MIN; n++) await read(n).addition;
    expect(failures).toEqual([failure]);
    isBusy = false;
    for (let n = 0; n < MIN; n++) await read(MIN + n).addition;
    expect(store.counters.of_a).toBe(2 * MIN);
    for (let n = 0; n < 2; n++) expect(read(2 * MIN).isRefused).toBe(false);
    expect(read(2 * MIN).isRefused).toBe(true);
  });

  test('begins again with the next minute, as after a freeze', async () => {
    const { count } = createReadCounter(newStore().add, neverFails);
    for (let n = 0; n < 3; n++) count(POOL, limitsOf('a', 3), AT + 59_000);
    const refused = count(POOL, limitsOf('a', 3), AT + 59_500);
    expect([refused.isRefused, refused.quota()]).toEqual([true, { policy: 'reads', max: 3, left: 0, seconds: 1 }]);
    expect(count(POOL, limitsOf('a', 3), AT + 60_000).quota()).toMatchObject({ left: 2, seconds: 60 });
    expect(count(POOL, limitsOf('a', 3), AT + 3_600_000).quota()).toMatchObject({ left: 2 });
  });

  test('keeps organizations, and people and programs, apart', () => {
    const { count } = createReadCounter(newStore().add, neverFails);
    const isRefused = (pool: ReadPool): boolean => count(pool, limitsOf('a', 1), AT).isRefused;
    expect([isRefused(POOL), isRefused(POOL)]).toEqual([false, true]);
    expect(isRefused({ ...POOL, audience: 'people' })).toBe(false);
    expect(isRefused({ ...POOL, organizationId: 'another' })).toBe(false);
  });

  test('names the limit of which the fewest reads are left', () => {
    const { count } = createReadCounter(newStore().add, neverFails);
    for (let n = 0; n < 3; n++) count(POOL, limitsOf(`${n % 2}`, 2, 3), AT);
    expect(count(POOL, limitsOf('1', 2, 3), AT)).toMatchObject({ isRefused: true });
    expect(count(POOL, limitsOf('1', 2, 3), AT).quota()).toMatchObject({ policy: 'organization-reads', max: 3 });
  });
});

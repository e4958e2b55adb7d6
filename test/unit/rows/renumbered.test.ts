/** A row keeps its identity when the source gives it another number. */
import * as fc from 'fast-check';
import { v5 as uuidv5 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { type NumberedRow, recognize } from '#shared/rows/write/renumbered.rules.ts';

const idOf = (number: number | string): string => uuidv5(String(number), '5f0d1c1e-8a55-4a4e-9d0a-0d6a3c2b1f00');
const row = (id: string, amount: string, balance: string): NumberedRow => ({
  id,
  content: `${amount} ${balance}`,
  marks: [amount, balance],
});
/** Amounts 1, 2, 3 … with the balance after each. */
const chain = (count: number, shift = 0): NumberedRow[] =>
  Array.from({ length: count }, (_, n) => row(idOf(n + shift), `${n + 1}`, `${((n + 1) * (n + 2)) / 2}`));

let runs = 0;
/** The run of the day writes a row that is new or has another content. */
const written = (one: NumberedRow, before: NumberedRow | undefined): NumberedRow =>
  before?.content === one.content ? before : { ...one, writtenRun: `run ${runs}` };

/** What is stored after a sync: id → content. */
const synced = (stored: readonly NumberedRow[], shown: readonly NumberedRow[]): NumberedRow[] => {
  runs++;
  const { ids, twins } = recognize(stored, shown);
  const after = new Map(stored.filter(({ id }) => !twins.includes(id)).map((one) => [one.id, one]));
  const named = shown.map((one) => ({ ...one, id: ids.get(one.id) ?? one.id }));
  expect(new Set(named.map(({ id }) => id)).size, 'two rows under one id').toBe(shown.length);
  for (const one of named) after.set(one.id, written(one, after.get(one.id)));
  return [...after.values()];
};
const contents = (rows: readonly NumberedRow[]) => rows.map(({ content }) => content).sort();
/** Works as an earlier version did: only the number identifies a row. */
const syncedByNumber = (stored: readonly NumberedRow[], shown: readonly NumberedRow[]): NumberedRow[] => {
  runs++;
  const after = new Map(stored.map((one) => [one.id, one]));
  for (const one of shown) after.set(one.id, written(one, after.get(one.id)));
  return [...after.values()];
};

describe('numbers of a source', () => {
  test('that stay: nothing is to be said', () => {
    expect(recognize(chain(5), chain(9))).toEqual({ ids: new Map(), renumbered: 0, rewritten: [], twins: [] });
  });

  test.each([1, -1, 500])('that are all shifted by %s: every row stays the row it was', (shift) => {
    const stored = chain(70);
    const { renumbered, rewritten, twins } = recognize(stored, chain(70, shift));
    expect([renumbered, rewritten, twins]).toEqual([70, [], []]);
    expect(synced(stored, chain(70, shift))).toEqual(stored);
  });

  test('that are shifted while further rows arrive: the old ones stay, the further ones are new', () => {
    const after = synced(chain(10), chain(14, -1));
    expect(contents(after)).toEqual(contents(chain(14)));
    expect(synced(after, chain(14, -1))).toEqual(after);
  });

  test('that a wrong answer shifted when only the number counted: the next right reading leaves each row once', () => {
    const lied = syncedByNumber(chain(70), chain(70, 1));
    expect(lied).toHaveLength(71);
    expect(contents(synced(lied, chain(70)))).toEqual(contents(chain(70)));
    const doubled = syncedByNumber(chain(111), chain(111, 500));
    expect(doubled).toHaveLength(222);
    const { twins } = recognize(doubled, chain(111));
    expect(twins).toHaveLength(111);
    expect(contents(synced(doubled, chain(111)))).toEqual(contents(chain(111)));
  });

  test('under which other things come are counted, when the old ones are gone', () => {
    const others = chain(30).map(({ id, marks: [amount] }) => row(id, `${amount}00`, `${amount}55`));
    expect(recognize(chain(40), others)).toMatchObject({ renumbered: 0, rewritten: others, twins: [] });
  });

  test('a balance that moves because of a late booking is a correction', () => {
    const moved = chain(30).map(({ id, marks: [amount, balance] }) => row(id, amount!, `${Number(balance) + 100}`));
    expect(recognize(chain(30), moved)).toMatchObject({ renumbered: 0, rewritten: [], twins: [] });
  });

  test('equal rows that are really two stay two', () => {
    const equal = [row(idOf('a'), '5', '10'), row(idOf('b'), '-5', '5'), row(idOf('c'), '5', '10')];
    expect(synced(equal, equal)).toEqual(equal);
    expect(contents(synced(equal, [equal[2]!, equal[0]!, equal[1]!]))).toEqual(contents(equal));
  });

  test('a row that is no longer shown stays, also if it looks like another row', () => {
    expect(synced(chain(9), chain(4))).toHaveLength(9);
    const equal = ['a', 'b', 'c'].map((number) => row(idOf(number), '7', '7'));
    const stored = synced([], equal);
    expect(synced(stored, equal.slice(0, 2))).toEqual(stored);
  });
});

describe('rows that look alike', () => {
  /** A shop receives the same amount over and over: only the balance differs. */
  const alike = (numbers: readonly number[], first = 1): NumberedRow[] =>
    numbers.map((number, n) => row(idOf(number), '29990', String((first + n) * 29_990)));

  test('stay the rows they were when all numbers are shifted by one', () => {
    const stored = synced([], alike([1, 2, 3, 4, 5]));
    expect(recognize(stored, alike([2, 3, 4, 5, 6]))).toMatchObject({ renumbered: 5, rewritten: [], twins: [] });
    expect(synced(stored, alike([2, 3, 4, 5, 6]))).toEqual(stored);
  });

  test('keep their numbers when one more comes between them', () => {
    const stored = synced([], alike([1, 2, 3]));
    const between = [...alike([9]), ...alike([1, 2, 3], 2)];
    expect(recognize(stored, between)).toMatchObject({ ids: new Map(), renumbered: 0, rewritten: [], twins: [] });
  });

  test('are not removed by an old answer, which also misses other rows', () => {
    // A debit, its reversal, and the debit again: the third has the amount and the balance of the first.
    const [debit, reversal, again] = [
      row(idOf('a'), '-100', '900'),
      row(idOf('b'), '100', '1000'),
      row(idOf('c'), '-100', '900'),
    ] as const;
    const stored = synced(synced([], [debit]), [debit, reversal, again]);
    expect(synced(stored, [debit])).toEqual(stored);
    expect(synced(stored, [again])).toEqual(stored);
  });
});

test('any numbering of a list that grows leaves each row once, again and again', () => {
  const sync = fc.record({
    numbers: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 8, maxLength: 8 }),
    more: fc.integer({ min: 0, max: 2 }),
  });
  void fc.assert(
    fc.property(fc.array(sync, { maxLength: 4 }), (syncs) => {
      let stored = chain(2);
      let count = 2;
      for (const { numbers, more } of syncs) {
        count = Math.min(count + more, 8);
        const shown = chain(count).map((one, n) => ({ ...one, id: idOf(numbers[n]!) }));
        const after = synced(stored, shown);
        expect(contents(after)).toEqual(contents(chain(count)));
        const before = new Map(stored.map(({ id, content }) => [id, content]));
        for (const { id, content } of after) expect(before.get(id) ?? content).toBe(content);
        stored = after;
      }
    }),
  );
});

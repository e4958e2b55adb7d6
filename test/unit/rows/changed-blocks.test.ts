/**
 * A position in a round of changes, compared with any later index of the period; and the cursor that carries the
 * position.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedRanges, endPeriod, isLeft, keyAfter } from '#shared/rows/index/changed-blocks.rules.ts';
import { buildFittingIndex, descending } from '#shared/rows/index/page-index.rules.ts';
import {
  CursorExpired,
  type CursorOwner,
  CursorUnreadable,
  decodeCursor,
  encodeCursor,
  type Positions,
  type RowPlace,
} from '#shared/rows/item/change-cursor.rules.ts';
import type { PeriodIndex } from '#shared/rows/item/page-index-codec.ts';
import { rowSortKey } from '#shared/rows/item/row-keys.ts';
import {
  announced,
  buildFittingStamps,
  findStamp,
  type Late,
  lateAfter,
  packStamps,
  type Stamps,
  unpackStamps,
} from '#shared/rows/item/stamps.rules.ts';

interface Listed {
  id: number;
  facets: string;
  sortKey: string;
  sequence: number;
  createdSequence: number;
}

const PERIOD = '2026-10';
const ID_DIGITS = 12;
const listedRow = (id: number, facets: string, day: number, sequence: number): Listed => {
  const name = `00000000-0000-4000-8000-${id.toString(16).padStart(ID_DIGITS, '0')}`;
  const sortKey = rowSortKey(`${PERIOD}-${String(day).padStart(2, '0')}`, null, name);
  return { id, facets, sortKey, sequence, createdSequence: sequence };
};

const indexed = (rows: readonly Listed[], late: Late, bytesMax = 1e6) => {
  const ordered = [...rows].sort(descending);
  const { index } = buildFittingIndex(ordered, 2, 1e6);
  return { index, stamps: unpackStamps(buildFittingStamps(index, ordered, late, bytesMax)) };
};

interface View {
  rows: readonly Listed[];
  index: PeriodIndex;
  stamps: Stamps;
}

/** What a reader receives of a view after a position, at most `most` rows, and its next position; null at the end. */
const readOn = ({ rows, index, stamps }: View, c: number, from: RowPlace | null, most: number) => {
  const told: Listed[] = [];
  for (const range of changedRanges(index, stamps, c, from)) {
    const found = rows
      .filter(({ facets, sortKey }) => facets === range.facets && sortKey <= range.to && sortKey >= (range.from ?? ''))
      .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
    for (const row of found) {
      if (told.length === most) return { told, place: null };
      if (announced(stamps.late, row.sequence) > c) told.push(row);
      if (told.length === most)
        return { told, place: { period: PERIOD, facets: row.facets, sortKey: row.sortKey } satisfies RowPlace };
    }
  }
  return { told, place: null };
};

const FACETS = ['issued.a', 'received.a', 'received.b'];
const rowArbitrary = (n: fc.Arbitrary<number>) =>
  fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(...FACETS), fc.integer({ min: 1, max: 28 }), n)
    .map(([id, facets, day, sequence]) => listedRow(id, facets, day, sequence));
const byId = (rows: readonly Listed[]): Listed[] => [...new Map(rows.map((row) => [row.id, row])).values()];

const UP_TO = 10;

describe('a position in a round', () => {
  test('is valid in every later index: rows before and after it are all rows', () => {
    fc.assert(
      fc.property(
        fc.array(rowArbitrary(fc.integer({ min: 1, max: UP_TO })), { maxLength: 50 }).map(byId),
        // Writes of others meanwhile: newer than the round, over any of the rows, at any position.
        fc.array(rowArbitrary(fc.integer({ min: UP_TO + 1, max: UP_TO + 5 })), { maxLength: 20 }),
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 5 }),
        fc.integer({ min: 0, max: UP_TO }),
        fc.integer({ min: 1, max: 20 }),
        (rows, written, removed, c, most) => {
          const first = { rows, ...indexed(rows, new Map()) };
          const begun = readOn(first, c, null, most);
          if (begun.told.length < most) {
            expect(begun.told).toHaveLength(rows.filter(({ sequence }) => sequence > c).length);
            return;
          }
          const now = byId([...rows, ...written]).filter(({ id }) => !removed.includes(id));
          const later = { rows: now, ...indexed(now, new Map()) };
          const rest = readOn(later, c, begun.place, 1_000);
          const told = new Set([...begun.told, ...rest.told].map(({ id }) => id));
          const untold = now.filter(({ id, sequence }) => sequence > c && sequence <= UP_TO && !told.has(id));
          expect(untold).toEqual([]);
          // No unchanged row is sent twice.
          const twice = rest.told.filter((row) => begun.told.some((before) => before === row));
          expect(twice).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('at the end of a period leaves nothing of it, and everything of the next', () => {
    expect(isLeft(PERIOD, endPeriod(PERIOD))).toBe(false);
    expect(isLeft('2026-11', endPeriod(PERIOD))).toBe(true);
    expect(isLeft('2026-09', endPeriod(PERIOD))).toBe(false);
    expect(isLeft(PERIOD, null)).toBe(true);
  });

  test('is after its own row, and before any other one', () => {
    const keys = [1, 2, 3].map((id) => listedRow(id, 'issued.a', 5, 1).sortKey);
    expect([...keys, keyAfter(keys[1]!)].sort()).toEqual([keys[0], keys[1], keyAfter(keys[1]!), keys[2]]);
  });
});

describe('stamps', () => {
  test('are the newest announcement of each block, and no reader misses a row by them where they are coarse', () => {
    fc.assert(
      fc.property(
        fc.array(rowArbitrary(fc.integer({ min: 1, max: 400 })), { minLength: 9, maxLength: 60 }).map(byId),
        fc.integer({ min: 0, max: 400 }),
        (rows, c) => {
          const late = new Map([[rows[0]!.sequence, 500]]);
          const fine = { rows, ...indexed(rows, late) };
          const changed = rows.filter(({ sequence }) => announced(late, sequence) > c);
          expect(readOn(fine, c, null, 1_000).told).toHaveLength(changed.length);
          fc.pre(fine.stamps.newest.length > 1);
          const coarse = { rows, ...indexed(rows, late, packStamps(fine.stamps).byteLength - 1) };
          expect(readOn(coarse, c, null, 1_000).told).toHaveLength(changed.length);
        },
      ),
    );
  });

  test('that were never stored count as sequence 1', () => {
    expect(findStamp({ late: new Map(), width: 1, newest: [] }, 7)).toBe(1);
  });

  test('beyond the limit of only late writes are refused', () => {
    const late = new Map(Array.from({ length: 500 }, (_, n) => [n * 7919, n * 104_729]));
    const rows = [listedRow(1, 'all', 1, 1)];
    expect(() => indexed(rows, late, 100)).toThrow(RangeError);
  });

  test('remember late writes as long as a row carries them, and map what was not announced to the store', () => {
    const rows = [listedRow(1, 'all', 1, 5), { ...listedRow(2, 'all', 2, 20), createdSequence: 7 }];
    const before = new Map([
      [5, 9],
      [6, 9],
      [7, 9],
    ]);
    expect([...lateAfter(before, new Set([20, 5]), 20, rows)]).toEqual([
      [5, 20],
      [7, 9],
    ]);
  });
});

describe('a cursor', () => {
  const OWNER: CursorOwner = { connectionId: 'c', filter: null, epoch: 'e' };
  const place = fc.record({ period: fc.string(), facets: fc.string(), sortKey: fc.string() });
  const phase = fc.oneof(
    fc.record({ kind: fc.constant('deleted' as const), after: fc.option(fc.string()) }),
    fc.record({ kind: fc.constant('rows' as const), after: fc.option(place) }),
  );
  /** A round ends after everything that its reader received before. */
  const position = fc
    .record({ c: fc.nat(), more: fc.integer({ min: 1 }), phase: fc.option(phase) })
    .map(({ c, more, phase: of }) => ({ c, round: of && { upTo: c + more, phase: of } }));

  test('says where its reader is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), position), (positions) => {
        const told: Positions = new Map(Object.entries(positions));
        expect(decodeCursor(encodeCursor(OWNER, told), OWNER)).toEqual(told);
      }),
    );
  });

  test('that is invented is invalid, with any content', () => {
    const packed = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const wrong = ['', 'x', '!', packed({}), packed([2, 'e', 'c', null, {}]), packed([1, 'e', 'c', null, { rcv: -1 }])];
    for (const cursor of wrong) expect(() => decodeCursor(cursor, OWNER)).toThrow(CursorUnreadable);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(text, OWNER)).toThrow(CursorUnreadable);
      }),
    );
  });

  test('belongs to its connection, its filter and its table', () => {
    const cursor = encodeCursor(OWNER, new Map());
    expect(() => decodeCursor(cursor, { ...OWNER, connectionId: 'd' })).toThrow(CursorUnreadable);
    expect(() => decodeCursor(cursor, { ...OWNER, filter: 'rcv' })).toThrow(CursorUnreadable);
    expect(() => decodeCursor(cursor, { ...OWNER, epoch: 'f' })).toThrow(CursorExpired);
  });
});

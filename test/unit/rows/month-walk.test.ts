/** The stored movements of a month form one trail of balances, in any order within the month. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type MonthWalk,
  type WalkEnds,
  type WalkStep,
  walkMonth,
  walkStep,
} from '#shared/rows/item/month-walk.rules.ts';
import { runs, sampled } from '#test/helpers/effort.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';

const FIELDS = { account: 'account', amount: 'amount', balance: 'balance' };
const UNKNOWN: WalkEnds = { opening: null, closing: null };

interface Movement {
  amount: number;
  balance: number;
}

const stepOf = ({ amount, balance }: Movement): WalkStep =>
  walkStep(FIELDS, { account: '1', amount: `${amount}.00`, balance: String(balance) });
const walk = (movements: readonly Movement[], ends: WalkEnds = UNKNOWN): MonthWalk =>
  walkMonth(movements.map(stepOf), ends);

const chain = (opening: number, amounts: readonly number[]): Movement[] => {
  let balance = opening;
  return amounts.map((amount) => {
    balance += amount;
    return { amount, balance };
  });
};
const endsOf = (opening: number, movements: readonly Movement[]): WalkEnds => ({
  opening: String(opening),
  closing: String(movements.at(-1)?.balance ?? opening),
});

const amounts = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 30 });
const months = fc.tuple(fc.integer({ min: -20, max: 20 }), amounts).map(([opening, list]) => ({
  opening,
  movements: chain(opening, list),
}));
const shuffled: fc.Arbitrary<[opening: number, movements: Movement[], mixed: Movement[]]> = months.chain(
  ({ opening, movements }) =>
    fc.tuple(
      fc.constant(opening),
      fc.constant(movements),
      fc.shuffledSubarray(movements, { minLength: movements.length }),
    ),
);

describe('a right month', () => {
  test('holds in any order, between the stated ends', () => {
    for (const [opening, movements, mixed] of fc.sample(shuffled, { numRuns: runs(1_000), seed: 34 })) {
      const ends = endsOf(opening, movements);
      expect(walk(mixed, ends)).toEqual({ state: 'holds', ...ends });
    }
  });

  test('holds with unknown ends, and says them unless it returns to its beginning', () => {
    for (const [opening, movements, mixed] of fc.sample(shuffled, { numRuns: runs(1_000), seed: 34 })) {
      const ends = endsOf(opening, movements);
      const isRound = ends.opening === ends.closing;
      expect(walk(mixed)).toEqual({ state: 'holds', ...(isRound ? UNKNOWN : ends) });
      expect(walk(mixed, { ...ends, closing: null })).toEqual({ state: 'holds', ...ends });
      expect(walk(mixed, { ...ends, opening: null })).toEqual({ state: 'holds', ...ends });
    }
  });

  test('without movements has equal ends', () => {
    expect(walk([], { opening: '5', closing: '5.00' })).toEqual({ state: 'holds', opening: '5', closing: '5' });
    expect(walk([], { opening: '5', closing: '6' })).toEqual({ state: 'broken', stopsAt: '5', resumesAt: '6' });
    expect(walk([])).toEqual({ state: 'holds', ...UNKNOWN });
  });
});

describe('a wrong month', () => {
  test('names the gap', () => {
    const right = chain(100, [10, 20, 30, 40]);
    const ends = endsOf(100, right);
    const without = right.filter((_, n) => n !== 1);
    expect(walk(without, ends)).toEqual({ state: 'broken', stopsAt: '110', resumesAt: '130' });
    expect(walk(without)).toEqual({ state: 'broken', stopsAt: '110', resumesAt: '130' });
    expect(walk(right.slice(1), ends)).toEqual({ state: 'broken', stopsAt: '100', resumesAt: '110' });
    expect(walk(right.slice(0, -1), ends)).toEqual({ state: 'broken', stopsAt: '160', resumesAt: '200' });
  });

  test('with a movement that is not connected is broken, also if the movement is zero', () => {
    const right = chain(100, [10, 20]);
    expect(walk([...right, { amount: 0, balance: 7 }], endsOf(100, right))).toMatchObject({ state: 'broken' });
    expect(walk([...right, { amount: 0, balance: 110 }], endsOf(100, right))).toMatchObject({ state: 'holds' });
  });

  test('with a movement without amount or balance is not checked', () => {
    const steps = [walkStep(FIELDS, { account: '1', amount: null, balance: '5' })];
    expect(walkMonth(steps, UNKNOWN)).toEqual({ state: 'unchecked' });
  });
});

/** What a fault does to a right month. */
const FAULTS = {
  dropped: (movements: Movement[], at: number) => movements.filter((_, n) => n !== at),
  doubled: (movements: Movement[], at: number) => [...movements, movements[at]!],
  'with another amount': (movements: Movement[], at: number, random: Random) =>
    movements.map((movement, n) =>
      n === at ? { ...movement, amount: movement.amount + random.pick([-1, 1]) * random.int(1, 9) } : movement,
    ),
} as const;

const CASES = 10_000;

/** Months of 2 to 40 movements; some amounts are zero, and some pairs cancel each other. */
const randomMonth = (random: Random): { opening: number; movements: Movement[] } => {
  const opening = random.int(-50_000, 500_000);
  const list = Array.from({ length: random.int(2, 40) }, () =>
    random.int(1, 20) === 1 ? 0 : random.int(-9_999, 9_999),
  );
  return { opening, movements: chain(opening, list) };
};

/** True if the faulty month is a trail itself, so that balances cannot find the fault. */
const isHidden = (
  kind: keyof typeof FAULTS,
  movements: readonly Movement[],
  at: number,
  isStated: boolean,
): boolean => {
  if (kind === 'with another amount') return !isStated && at === 0;
  if (movements[at]!.amount === 0) return true;
  return kind === 'dropped' && !isStated && (at === 0 || at === movements.length - 1);
};

/**
 * Of 10,000 faulty months, those that are a trail themselves: movements of zero, the first or last movement where no
 * balance is stated, and the rest, in which the changed row happens to continue the trail.
 */
const MISSED = [
  { kind: 'dropped', isStated: true, zero: 508, end: 0, other: 0 },
  { kind: 'doubled', isStated: true, zero: 508, end: 0, other: 0 },
  { kind: 'with another amount', isStated: true, zero: 0, end: 0, other: 0 },
  { kind: 'dropped', isStated: false, zero: 508, end: 1655, other: 0 },
  { kind: 'doubled', isStated: false, zero: 508, end: 0, other: 0 },
  { kind: 'with another amount', isStated: false, zero: 40, end: 808, other: 2 },
] as const;

test.each(sampled(MISSED, 3))(
  'a row $kind is found, except in some cases (ends stated: $isStated)',
  ({ kind, isStated, ...told }) => {
    const random = randomFrom(34);
    const missed = { zero: 0, end: 0, other: 0 };
    for (let n = 0; n < CASES; n++) {
      const { opening, movements } = randomMonth(random);
      const at = random.int(0, movements.length - 1);
      const faulty = FAULTS[kind](movements, at, random);
      const { state } = walk(faulty, isStated ? endsOf(opening, movements) : UNKNOWN);
      if (state === 'broken') expect(isHidden(kind, movements, at, isStated)).toBe(false);
      else if (!isHidden(kind, movements, at, isStated)) missed.other++;
      else if (movements[at]!.amount === 0) missed.zero++;
      else missed.end++;
    }
    expect(missed).toEqual(told);
  },
);

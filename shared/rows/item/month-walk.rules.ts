/**
 * Checks the movements of an account in a month as one trail: each movement leads from the balance before it to the
 * balance after it. The order within a day is not needed, because only balances are counted (ADR 36). Pure.
 */
import { Big } from 'big.js';
import type { Row, WalkDefinition } from '#shared/scopes/scope.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { accountKey } from '#shared/values/statements.ts';

export interface WalkStep {
  /** Account in the spelling of `accountKey`. */
  account: string;
  /** Balances before and after the movement, in one spelling. Null if the row has no amount or no balance. */
  balances: readonly [before: string, after: string] | null;
}

/** Balances between which the trail must lead. Null if a balance is unknown. */
export interface WalkEnds {
  opening: string | null;
  closing: string | null;
}

/** A break in the trail: the movements stop at one balance and continue from another. */
export interface WalkGap {
  stopsAt: string;
  resumesAt: string;
}

/** `unchecked`: some movement has no amount or no balance. */
export type MonthWalk = ({ state: 'holds' } & WalkEnds) | ({ state: 'broken' } & WalkGap) | { state: 'unchecked' };

/** Returns the only spelling of a balance. Zero has no sign. */
const spelled = (balance: Big | string): string => new Big(balance).toFixed().replace(/^-0$/, '0');

export const walkStep = ({ account, amount, balance }: WalkDefinition, row: Row): WalkStep => {
  const [added, after] = [row[amount], row[balance]];
  const isKnown = typeof added === 'string' && typeof after === 'string';
  return {
    account: accountKey(String(row[account])),
    balances: isKnown ? [spelled(new Big(after).minus(added)), spelled(after)] : null,
  };
};

/** Joins balances that movements connect. Balances are in the order in which they were added. */
const createComponents = () => {
  const parents = new Map<string, string>();
  const findRoot = (balance: string): string => {
    let root = balance;
    while (mustGet(parents, root) !== root) root = mustGet(parents, root);
    for (let at = balance; at !== root; ) {
      const next = mustGet(parents, at);
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  return {
    join: (a: string, b: string): void => {
      for (const balance of [a, b]) if (!parents.has(balance)) parents.set(balance, balance);
      parents.set(findRoot(b), findRoot(a));
    },
    /** Returns the gap to the first balance that is not connected with `end`, or with the first balance if `end` is null. */
    findGapFrom: (end: string | null): WalkGap | null => {
      const [first] = parents.keys();
      const stopsAt = end ?? first;
      if (stopsAt === undefined) return null;
      const root = findRoot(stopsAt);
      const resumesAt = [...parents.keys()].find((other) => findRoot(other) !== root);
      return resumesAt === undefined ? null : { stopsAt, resumesAt };
    },
  };
};

/** Returns the balances that movements leave more often than they reach them, and those that they reach more often. */
const findLooseEnds = (surplus: ReadonlyMap<string, number>): { starts: string[]; stops: string[] } => {
  const repeated = (sign: 1 | -1) =>
    [...surplus].flatMap(([balance, count]) => Array<string>(Math.max(0, sign * count)).fill(balance));
  return { starts: repeated(1), stops: repeated(-1) };
};

/** Returns the first gap between loose ends. There are as many starts as stops. */
const findGap = ([resumesAt]: readonly string[], [stopsAt]: readonly string[]): WalkGap | null =>
  resumesAt === undefined || stopsAt === undefined ? null : { stopsAt, resumesAt };

/**
 * Returns whether the movements form one trail between the ends. An unknown end is derived from the movements; a trail
 * that returns to its unknown beginning has unknown ends.
 *
 * @param steps movements of one account, oldest day first; the order only decides which gap of several is returned
 */
export const walkMonth = (steps: readonly WalkStep[], ends: WalkEnds): MonthWalk => {
  const [opening, closing] = [ends.opening, ends.closing].map((end) => (end === null ? null : spelled(end)));
  const surplus = new Map<string, number>();
  const components = createComponents();
  const count = (balance: string, by: 1 | -1) => surplus.set(balance, (surplus.get(balance) ?? 0) + by);
  // A known opening balance is reached once more than movements reach it, a known closing balance is left once more.
  const addEnd = (end: string | null | undefined, by: 1 | -1): void => {
    if (typeof end !== 'string') return;
    count(end, by);
    components.join(end, end);
  };
  addEnd(opening, -1);
  addEnd(closing, 1);
  for (const { balances } of steps) {
    if (balances === null) return { state: 'unchecked' };
    const [before, after] = balances;
    count(before, 1);
    count(after, -1);
    components.join(before, after);
  }
  const { starts, stops } = findLooseEnds(surplus);
  const found = {
    opening: opening ?? starts.shift() ?? null,
    closing: closing ?? stops.pop() ?? null,
  };
  const gap = findGap(starts, stops) ?? components.findGapFrom(found.closing ?? found.opening);
  return gap === null ? { state: 'holds', ...found } : { state: 'broken', ...gap };
};

/** Which stored movements a reading removes, and which readings are older or cut copies of the month. */
import { describe, expect, test } from 'vitest';
import { walkStep } from '#shared/rows/item/month-walk.rules.ts';
import { rowSortKey } from '#shared/rows/item/row-keys.ts';
import { findOpenings, healMonth, type MovementRef, walkAccounts } from '#shared/rows/write/heal-month.rules.ts';

const FIELDS = { account: 'account', amount: 'amount', balance: 'balance' };

const row = (id: string, day: number, amount: number, balance: number, account = '1'): MovementRef => ({
  id,
  sortKey: rowSortKey(`2026-10-${String(day).padStart(2, '0')}`, null, id),
  step: walkStep(FIELDS, { account, amount: String(amount), balance: String(balance) }),
});

/** From 100 to 160. */
const RIGHT = [row('a', 1, 10, 110), row('b', 5, 20, 130), row('c', 9, 30, 160)];
const STATED = new Map([['1', { opening: '100', closing: '160' }]]);
const UNSTATED = new Map<string, never>();
const OPTIONS = { isWhole: true, decided: new Set<string>() };
const removedIds = (...args: Parameters<typeof healMonth>) => healMonth(...args).removed.map(({ id }) => id);

describe.each([
  ['between stated balances', STATED],
  ['between its own ends', UNSTATED],
] as const)('%s', (_name, stated) => {
  test('rows of an odd answer are removed', () => {
    const odd = [row('x', 5, 20, 130), row('y', 9, 30, 160)];
    expect(removedIds([...RIGHT, ...odd], RIGHT, stated, OPTIONS)).toEqual(['x', 'y']);
  });

  test('a movement of zero that is connected with nothing is removed', () => {
    expect(removedIds([...RIGHT, row('z', 2, 0, 7)], RIGHT, stated, OPTIONS)).toEqual(['z']);
  });

  test('an account that the reading does not show stays', () => {
    const other = row('o', 3, 5, 5, '2');
    expect(healMonth([...RIGHT, other], RIGHT, stated, OPTIONS)).toEqual({ removed: [], shorter: new Set() });
  });

  test.each([
    ['does not cover the month', { ...OPTIONS, isWhole: false }],
    ['is about an account that another rule decides', { ...OPTIONS, decided: new Set(['1']) }],
  ])('a reading that %s removes nothing', (_what, options) => {
    expect(removedIds([...RIGHT, row('x', 5, 20, 130)], RIGHT, stated, options)).toEqual([]);
  });

  test('a reading that does not add up itself removes nothing', () => {
    const broken = [RIGHT[0]!, RIGHT[2]!];
    expect(removedIds([...broken, row('x', 9, 5, 7)], broken, stated, OPTIONS)).toEqual([]);
  });
});

test('an older copy removes nothing, and is called shorter', () => {
  const older = RIGHT.slice(0, 2);
  const stated = new Map([['1', { opening: '100', closing: '130' }]]);
  expect(healMonth(RIGHT, older, stated, OPTIONS)).toEqual({ removed: [], shorter: new Set(['1']) });
});

test('an older copy next to rows of an odd answer removes nothing: a stored row continues where it ends', () => {
  const older = RIGHT.slice(0, 2);
  const stated = new Map([['1', { opening: '100', closing: '130' }]]);
  expect(healMonth([...RIGHT, row('x', 1, 10, 110)], older, stated, OPTIONS).removed).toEqual([]);
});

test('an older copy that leaves out a movement of zero removes only rows of an odd answer', () => {
  const zero = row('z', 9, 0, 160);
  const healed = healMonth([...RIGHT, zero, row('x', 5, 20, 130)], RIGHT, STATED, OPTIONS);
  expect(healed.removed.map(({ id }) => id)).toEqual(['x']);
  expect(healed.shorter).toEqual(new Set(['1']));
});

describe('the statement of another month that begins with the same balance', () => {
  const other = [row('p', 2, -5, 95), row('q', 7, 1, 96)];
  const stated = new Map([['1', { opening: '100', closing: '96' }]]);

  test('removes nothing: it confirms no stored row', () => {
    expect(removedIds(RIGHT, other, stated, OPTIONS)).toEqual([]);
  });

  test('is removed by the next reading, which confirms the others', () => {
    expect(removedIds([...RIGHT, ...other], RIGHT, STATED, OPTIONS)).toEqual(['p', 'q']);
  });

  test('a reading with other numbers confirms the same steps', () => {
    const renumbered = [row('a2', 1, 10, 110), row('b2', 5, 20, 130), row('c2', 9, 30, 160)];
    expect(removedIds(RIGHT, renumbered, STATED, OPTIONS)).toEqual(['a', 'b', 'c']);
  });
});

test('a month begins with the stated balance, or with that of its first movement', () => {
  expect(findOpenings(RIGHT, STATED, ['1'])).toEqual(new Map([['1', '100']]));
  expect(findOpenings(RIGHT, UNSTATED, ['1'])).toEqual(new Map([['1', '100']]));
  expect(findOpenings([RIGHT[0]!, RIGHT[2]!], UNSTATED, ['1'])).toEqual(new Map());
});

test('each account is walked for itself, also one without movements', () => {
  const stated = new Map([...STATED, ['2', { opening: '5', closing: '6' }] as const]);
  expect(walkAccounts(RIGHT, stated).map(({ account, rows, walk }) => [account, rows, walk.state])).toEqual([
    ['1', 3, 'holds'],
    ['2', 0, 'broken'],
  ]);
});

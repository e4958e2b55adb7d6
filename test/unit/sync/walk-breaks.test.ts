/** Breaks in the balances of accounts, within a month and between months. */
import { describe, expect, test } from 'vitest';
import { breakNotices, compareBeside, findBreaks, updateBeside } from '#shared/sync/task/walk-breaks.rules.ts';
import type { StatementHeads } from '#shared/values/known-accounts.ts';

const heads = (opening: string | null, closing: string, isOpen = false): StatementHeads => ({
  ...{ opening, closing, isOpen },
  rows: 1,
});
const between = (next: string) => ({ account: '1', stopsAt: '10', resumesAt: '12', next });

test('a month is compared with both neighbours', () => {
  const statements = {
    '2026-09': { 1: heads('0', '10') },
    '2026-10': { 1: heads('12', '20') },
    '2026-11': { 1: heads('20.00', '30', true) },
  };
  expect(compareBeside('2026-10', statements)).toEqual({ before: [between('2026-10')], after: [] });
});

test.each([
  ['the earlier month may still grow', heads('0', '10', true), heads('12', '20')],
  ['the later one does not begin with its month', heads('0', '10'), heads(null, '20')],
  ['the balances are equal', heads('0', '12.0'), heads('12', '20')],
])('no break if %s', (_what, before, own) => {
  expect(compareBeside('2026-10', { '2026-09': { 1: before }, '2026-10': { 1: own } }).before).toEqual([]);
});

describe('when a neighbour is read', () => {
  const own = { account: '2', stopsAt: '1', resumesAt: '2' };
  const done = [
    { period: '2026-09', breaks: [own, between('2026-10')] },
    { period: '2026-11', breaks: [between('2026-12')] },
  ];

  test('the break between the months is compared again, and others stay', () => {
    expect(updateBeside(done, '2026-10', { before: [], after: [between('2026-11')] })).toEqual([
      { period: '2026-09', breaks: [own] },
      { period: '2026-11', breaks: [between('2026-12'), between('2026-11')] },
    ]);
  });

  test('a month without breaks has no list of breaks', () => {
    const [september] = updateBeside([{ period: '2026-09', breaks: [between('2026-10')] }], '2026-10', {
      before: [],
      after: [],
    });
    expect(september).toEqual({ period: '2026-09' });
  });
});

test('a notice names the account, both balances and what happens next', () => {
  const walks = [
    { account: '7', rows: 2, walk: { state: 'broken', stopsAt: '110', resumesAt: '130' } as const },
    { account: '8', rows: 2, walk: { state: 'holds', opening: '1', closing: '2' } as const },
  ];
  expect(findBreaks(walks)).toEqual([{ account: '7', stopsAt: '110', resumesAt: '130' }]);
  const done = [
    { period: '2026-10', breaks: [...findBreaks(walks), between('2026-11')] },
    { period: '2026-11', breaks: [between('2026-11')] },
    { period: '2026-12' },
  ];
  expect(breakNotices('bankone.movements', done)).toEqual([
    {
      code: 'bankone.movements.balances_broken',
      message:
        '2026-10: the stored movements of account 7 do not lead from one balance to the next: they stop at 110 and continue from 130 (difference 20). More breaks in this month: 1. The next sync reads the month again.',
      params: { period: '2026-10', account: '7', stops_at: '110', resumes_at: '130' },
    },
    {
      code: 'bankone.movements.balances_broken',
      message:
        '2026-11: account 1 ends 2026-10 with 10 and begins 2026-11 with 12 (difference 2). The next sync reads the month again.',
      params: { period: '2026-11', account: '1', stops_at: '10', resumes_at: '12' },
    },
  ]);
});

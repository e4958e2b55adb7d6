/** Months that nobody requested, between the oldest requested month and the last one that is over. */
import { expect, test } from 'vitest';
import { listUnasked } from '../../../dashboard/src/connections/unasked-months.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');

test.each([
  ['nothing requested', [], []],
  ['a scope without months', [null], []],
  ['no gap', ['2026-10', '2026-09'], []],
  ['only the current month', ['2026-11'], []],
  ['the months after', ['2026-08'], ['2026-09..2026-10']],
  ['gaps of one month and of several', ['2026-10', '2026-08', '2026-03'], ['2026-04..2026-07', '2026-09..2026-09']],
  [
    'over the end of a year',
    ['2025-11', '2026-03', '2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10'],
    ['2025-12..2026-02'],
  ],
])('%s', (_, periods, expected) => {
  expect(listUnasked(periods, NOW).map(({ first, last }) => `${first}..${last}`)).toEqual(expected);
});

test('on the first of a month in Chile the month before is over', () => {
  expect(listUnasked(['2026-10'], Date.parse('2026-12-01T02:59:59Z'))).toEqual([]);
  expect(listUnasked(['2026-10'], Date.parse('2026-12-01T03:00:00Z'))).toEqual([{ first: '2026-11', last: '2026-11' }]);
});

/** Notices of one month that several workers of a run report. */
import { expect, test } from 'vitest';
import { withoutEarlierRemovals, withoutLaterCounts } from '#shared/sync/end/written-notices.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';

const notice = (word: string, message: string): OutcomeNotice =>
  ({ code: `bankone.movements.${word}`, message }) as OutcomeNotice;

const BEFORE = [notice('facts_corrected', '2026-10: 5 rows'), notice('rows_replaced', '2026-10: 5 rows')];

test('a count that was stored before the first write is not told again by the next worker', () => {
  const more = [
    notice('facts_corrected', '2026-10: 2 rows'),
    notice('facts_corrected', '2026-11: 2 rows'),
    notice('rows_kept', '2026-10: 1 row'),
  ];
  expect(withoutLaterCounts(BEFORE, more)).toEqual(more.slice(1));
});

test('removed rows are counted over the whole run, so the later count replaces the earlier one', () => {
  const more = [notice('rows_replaced', '2026-10: 7 rows')];
  expect(withoutLaterCounts(BEFORE, more)).toEqual(more);
  expect(withoutEarlierRemovals(BEFORE, more)).toEqual(BEFORE.slice(0, 1));
});

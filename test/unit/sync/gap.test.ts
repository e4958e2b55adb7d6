/** Which notices leave a month incomplete. */
import { describe, expect, test } from 'vitest';
import { gapIn, lacksRows } from '#shared/sync/coverage/gap.rules.ts';
import { NOTICE_CATALOGUE } from '#shared/values/notice-catalogue.ts';

const MONTH = '2026-10';

describe('the notice that says why a month is incomplete', () => {
  const notice = (code: string, message = '') => ({ code, message });

  test('is one of a gap, and the first', () => {
    const notices = [notice('tax.rcv.columns_missing'), notice('tax.rcv.total_only'), notice('tax.rcv.out_of_window')];
    expect(gapIn(notices, MONTH)).toBe('tax.rcv.total_only');
    expect(gapIn([notice('tax.rcv.totals_differ')], MONTH)).toBeUndefined();
  });

  test.each(['bankone.movements.nothing_shown', 'bankthree.movements.statement_shorter'])(
    '%s says that the bank showed less than before: the month is incomplete',
    (code) => {
      expect(gapIn([notice(code)], MONTH)).toBe(code);
    },
  );

  // Some rows of the bank are not stored, or the bank may not have shown all rows.
  test.each([
    'bankone.transfers.states_unknown',
    'bankone.transfers.transfers_repeated',
    'bankthree.movements.still_open',
  ])('%s says that rows may be missing: the month is incomplete', (code) => {
    expect(gapIn([notice('bankone.transfers.columns_missing'), notice(code)], MONTH)).toBe(code);
  });

  test('of a list of statements names this month', () => {
    const code = 'bankone.movements.statement_missing';
    expect(gapIn([notice(code, 'leaves out 2026-08, and shows older ones')], MONTH)).toBeUndefined();
    expect(gapIn([notice(code, 'leaves out 2026-08, 2026-10')], MONTH)).toBe(code);
  });
});

/** All but those of tenders, of a run and of its connection. */
const ofMonths = NOTICE_CATALOGUE.filter(
  ({ code, word }) => !/^(?:procurement|sync)\./.test(code) && word !== 'login_shared',
);

test('every notice of a month is in one of two lists: add each new word to one of them', () => {
  expect(ofMonths.filter(({ code }) => lacksRows(code) === undefined)).toEqual([]);
  expect(lacksRows('tax.rcv.of_tomorrow')).toBeUndefined();
});

test('these say that rows of the month may be missing, and no others', () => {
  expect([...new Set(ofMonths.filter(({ code }) => lacksRows(code)).map(({ word }) => word))].sort()).toEqual([
    'doubtful_rows_ignored',
    'facts_changed',
    'fewer_than_total',
    'lines_unreadable',
    'not_available',
    'not_published',
    'nothing_shown',
    'out_of_window',
    'rows_kept',
    'statement_doubtful',
    'statement_missing',
    'statement_partial',
    'statement_shorter',
    'states_unknown',
    'still_open',
    'total_only',
    'transfers_repeated',
  ]);
});

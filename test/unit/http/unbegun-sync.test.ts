/** A sync that asks only for months or days of the future would end `succeeded` without a row. */
import { expect, test } from 'vitest';
import { refuseUnbegun } from '#shared/http/request/sync-input.ts';

const TODAY = '2026-11-27';

test.each([
  [{ periods: ['2030-01'] }, 'periods that have not begun (now 2026-11, America/Santiago)'],
  [{ periods: ['2027-02', '2026-12'] }, 'periods that have not begun'],
  [{ from_period: '2026-12', to_period: '2027-01' }, 'periods that have not begun'],
  [{ from: '2026-11-28', to: '2026-11-29' }, 'days that have not begun (now 2026-11-27, America/Santiago)'],
])('%j is refused', (metadata, message) => {
  expect(() => refuseUnbegun(metadata, TODAY)).toThrow(
    expect.objectContaining({ code: 'sync_invalid_metadata', status: 422, message: expect.stringContaining(message) }),
  );
});

test.each([
  [{}],
  [{ periods: ['2027-02', '2026-11'] }],
  [{ from_period: '2026-11', to_period: '2027-01' }],
  [{ from: '2026-11-27', to: '2026-11-29' }],
  [{ codigos: ['9999-1-LE30'] }],
])('%j may be asked for', (metadata) => {
  expect(() => refuseUnbegun(metadata, TODAY)).not.toThrow();
});

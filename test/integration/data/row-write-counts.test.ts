/**
 * Counts the writes of a sync: none when nothing is new, otherwise as many as rows changed. Guards lines 5 and 6 of
 * `npm run bench`, which measures the times.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '#shared/scopes/scope.ts';
import { DIRECTIONS, taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type CountedWrites, countWrites } from '#test/bench/counted-writes.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';

const ROWS = 1_000;
const CHANGED = 10;
const PERIOD = '2026-10';

let server: TestTable;
let month: Row[];
beforeAll(async () => {
  server = await startTable();
  const random = randomFrom(7);
  // Issued and received alternate, so that no two rows are one document.
  month = Array.from({ length: ROWS }, (_, n) => ({
    ...ROW_MAKERS['tax.rcv']!(random, PERIOD, n),
    direction: DIRECTIONS[n % 2],
  }));
});
afterAll(() => server.stop());

/** The dirty mark, then the search index, then the period with its summary. */
const INDEX_WRITES_MAX = 4;
/** In addition: the newest sequence of the scope, and its entry in the organization's feed with the last number. */
const OTHER_WRITES = 3;
/** The former entry is removed. */
const OTHER_WRITES_AGAIN = OTHER_WRITES + 1;
const NOTHING: CountedWrites = { listed: 0, full: 0, index: 0, other: 0 };

test('a first sync writes each row twice, listed and in full, and the same again writes nothing', async () => {
  const { sync } = await newSyncedScope(taxRcv);
  const first = await countWrites(() => sync(PERIOD, month));
  expect(first.result).toEqual({ found: ROWS, created: ROWS, updated: 0 });
  expect(first.writes).toMatchObject({ listed: ROWS, full: ROWS, other: OTHER_WRITES });
  expect(first.writes.index).toBeLessThanOrEqual(INDEX_WRITES_MAX);

  const again = await countWrites(() => sync(PERIOD, month));
  expect(again).toEqual({ result: { found: ROWS, created: 0, updated: 0 }, writes: NOTHING });
});

test('with one row in a hundred changed, one in a hundred is written', async () => {
  const { sync } = await newSyncedScope(taxRcv);
  await sync(PERIOD, month);
  const changed = month.map((row, n) => (n % (ROWS / CHANGED) === 0 ? { ...row, total_amount: '123456789' } : row));
  const { result, writes } = await countWrites(() => sync(PERIOD, changed));
  expect(result).toEqual({ found: ROWS, created: 0, updated: CHANGED, corrected: CHANGED });
  expect(writes).toMatchObject({ listed: CHANGED, full: CHANGED, other: OTHER_WRITES_AGAIN });
  expect(writes.index).toBeLessThanOrEqual(INDEX_WRITES_MAX);
});

test('rows that move to another day cost one removed row and two written rows each', async () => {
  const { sync } = await newSyncedScope(taxRcv);
  await sync(PERIOD, month);
  const moved = month.map((row, n) => (n % (ROWS / CHANGED) === 0 ? { ...row, issued_at: `${PERIOD}-29` } : row));
  const { result, writes } = await countWrites(() => sync(PERIOD, moved));
  expect(result).toEqual({ found: ROWS, created: 0, updated: CHANGED, corrected: CHANGED });
  expect(writes).toMatchObject({ listed: 2 * CHANGED, full: CHANGED, other: OTHER_WRITES_AGAIN });
});

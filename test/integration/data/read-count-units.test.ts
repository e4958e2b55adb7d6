/** The cost of counting reads, in units: one write for many reads, and no read unit. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRead } from '#shared/http/fair-use/limit-reads.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { startCounting, unitsOf } from '#test/bench/count-units.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';

let server: TestTable;
beforeAll(async () => {
  server = await startTable();
  startCounting();
});
afterAll(async () => {
  plantClock(undefined);
  await server.stop();
});

/** Reads of one minute, by one instance. */
const costOf = async (reads: number, pauseMs: number, credentials = 1) => {
  const organizationId = randomUUID();
  let atMs = Date.parse('2030-01-01T00:00:00.000Z');
  plantClock(() => atMs);
  return unitsOf(async () => {
    for (let n = 0; n < reads; n++) {
      await countRead({ organizationId, kind: 'key', id: `${n % credentials}` })();
      atMs += pauseMs;
    }
  });
};

test.each([
  ['600 pages, one after the other', 600, 60, 17],
  ['one read a second', 59, 1_000, 5],
  ['one read in 7 s', 8, 7_000, 0],
])('%s', async (_, reads, pauseMs, units) => {
  const { readUnits, writeUnits } = await costOf(reads, pauseMs);
  expect([readUnits, writeUnits]).toEqual([0, units]);
  expect(writeUnits).toBeLessThanOrEqual(reads / HTTP_LIMITS.readsAddedMin);
});

test('an item of many credentials costs a unit for each KB', async () => {
  const { tableCalls: calls, writeUnits } = await costOf(400, 100, 100);
  expect(calls).toBeGreaterThanOrEqual(19);
  expect(writeUnits).toBeGreaterThan(calls);
  expect(writeUnits).toBeLessThanOrEqual(6 * calls);
});

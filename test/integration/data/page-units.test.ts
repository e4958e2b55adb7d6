/**
 * What a page costs, counted: as many units far in as at the first row, under every filter, and a total without reading
 * rows. Guards lines 1, 2 and 3 of `npm run bench`, which measures the times.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#functions/api/tax-rcv-documents/list-tax-rcv-documents/contract.ts';
import { facetCombinations } from '#shared/domain/row-facets.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { judgeCapacity } from '#test/bench/capacity.ts';
import { newReadWorld, type ReadWorld } from '#test/bench/read-world.ts';
import { type TableCalls, tableCallsOf } from '#test/bench/table-calls.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';

const MONTHS = 3;
const ROWS_A_MONTH = 1_000;
const LIMIT = 50;
/** Rows of a block before the page, a page that lies in two months, and what each query rounds up; not more with the offset. */
const UNITS_OVER_FIRST = 8;
const TRIPS_MAX = 4;

let server: TestTable;
let world: ReadWorld;
beforeAll(async () => {
  server = await startTable();
  world = await newReadWorld(
    server,
    taxRcv,
    contract.id,
    Array.from({ length: MONTHS }, () => ROWS_A_MONTH),
  );
  // The credential's first use is noted, at most once a minute.
  await world.list('limit=1');
});
afterAll(() => server.stop());

const FILTERS: [name: string, query: () => string][] = [
  ['no filter', () => ''],
  ['a period', () => `period=${world.periods[1]}`],
  ['a facet', () => 'direction=issued'],
  ['two facets', () => 'direction=issued&estado=registro'],
  ['from and to', () => `from=${world.periods[2]}-10&to=${world.periods[0]}-20`],
];

const pageAt = async (query: string, offset: number, limit = LIMIT): Promise<TableCalls & { rows: number }> => {
  let rows = 0;
  const calls = await tableCallsOf(async () => {
    ({ rows } = await world.list(`${query}&limit=${limit}&offset=${offset}`));
  });
  return { ...calls, rows };
};

test('the table that counts here counts as AWS does', async () => {
  const judged = await judgeCapacity(server.tableName);
  expect(judged.filter(({ told, aws }) => told !== aws)).toEqual([]);
});

describe.each(FILTERS)('by %s', (_, query) => {
  test('a page anywhere costs what the first one costs, in four round trips', async () => {
    const { total } = await world.list(`${query()}&limit=1`);
    expect(total).toBeGreaterThan(4 * LIMIT);
    const first = await pageAt(query(), 0);
    for (const offset of [LIMIT, Math.floor(total / 2), total - LIMIT]) {
      const page = await pageAt(query(), offset);
      expect(page.rows).toBe(LIMIT);
      expect(page.readUnits - first.readUnits, `offset ${offset}`).toBeLessThanOrEqual(UNITS_OVER_FIRST);
      expect(page.inTurn).toBeLessThanOrEqual(TRIPS_MAX);
      expect(page.writeUnits).toBe(0);
    }
  });

  test('a total is told by the index: of each partition that may hold it, the one row that was asked for is read', async () => {
    const { scanned } = await pageAt(query(), 0, 1);
    expect(scanned).toBeLessThanOrEqual(facetCombinations(taxRcv.facets).length);
  });
});

test('the first page of one partition needs no index: three round trips, and its rows alone', async () => {
  const { inTurn, scanned, rows } = await pageAt(`direction=issued&period=${world.periods[1]}`, 0);
  expect({ inTurn, scanned, rows }).toEqual({ inTurn: 3, scanned: LIMIT, rows: LIMIT });
});

test('a page that is beyond the last row reads none', async () => {
  const { rows, scanned } = await pageAt('', MONTHS * ROWS_A_MONTH);
  expect({ rows, scanned }).toEqual({ rows: 0, scanned: 0 });
});

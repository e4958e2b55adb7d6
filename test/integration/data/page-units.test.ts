/**
 * Counts the cost of a page: a late page costs as many units as the first, under every filter, and a total reads no
 * rows. Guards lines 1, 2 and 3 of `npm run bench`, which measures the times, by the limits of its table.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#functions/api/tax-rcv-documents/list-tax-rcv-documents/contract.ts';
import { facetCombinations } from '#shared/rows/item/facets.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { judgeCapacity } from '#test/bench/capacity.ts';
import { filtersOf, offsetsOf, PAGE, TO_REACH } from '#test/bench/page-cases.ts';
import { newReadWorld, type ReadWorld } from '#test/bench/read-world.ts';
import { type TableCalls, tableCallsOf } from '#test/bench/table-calls.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';

/**
 * Newest first. The month that `period` asks for is as large as the benchmark's, and more than five times its
 * neighbours.
 */
const SIZES = [1_500, 1_500, 1_500, 8_500, 1_500, 1_500];
const ROWS = SIZES.reduce((sum, size) => sum + size, 0);
/** Number of additional pages per filter between those of the benchmark, at even distances. */
const PAGES_BETWEEN = IS_WHOLE ? 8 : 2;

let server: TestTable;
let world: ReadWorld;
beforeAll(async () => {
  server = await startTable();
  world = await newReadWorld(server, taxRcv, contract.id, SIZES);
  // The first use of a credential is stored, at most once a minute.
  await world.list('limit=1');
});
afterAll(() => server.stop());

const FILTERS = Object.keys(filtersOf(SIZES.map(() => '')));
const queryOf = (filter: string): string => filtersOf(world.periods)[filter]!;

const pageAt = async (query: string, offset: number, limit = PAGE): Promise<TableCalls & { rows: number }> => {
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

describe.each(FILTERS)('by %s', (filter) => {
  test('a page anywhere costs what the first one costs, in four round trips', async () => {
    const query = queryOf(filter);
    const { total } = await world.list(`${query}&limit=1`);
    expect(total).toBeGreaterThan(4 * PAGE);
    const first = await pageAt(query, 0);
    const between = Array.from({ length: PAGES_BETWEEN }, (_, n) =>
      Math.floor(((n + 1) * (total - PAGE)) / (PAGES_BETWEEN + 1)),
    );
    for (const offset of [...offsetsOf(total), ...between]) {
      const page = await pageAt(query, offset);
      expect(page.rows).toBe(PAGE);
      const over = page.readUnits - first.readUnits;
      expect(over, `offset ${offset}: ${JSON.stringify(page.reads)}`).toBeLessThanOrEqual(TO_REACH.unitsOverFirst);
      expect(page.inTurn, `offset ${offset}: ${JSON.stringify(page.reads)}`).toBeLessThanOrEqual(TO_REACH.trips);
      expect(page.writeUnits).toBe(0);
    }
  });

  test('a total comes from the index: of each partition that may hold it, only the requested row is read', async () => {
    const { scanned } = await pageAt(queryOf(filter), 0, 1);
    expect(scanned).toBeLessThanOrEqual(facetCombinations(taxRcv.facets).length);
  });
});

test('the first page of one partition needs no index: three round trips, and only its rows', async () => {
  const { inTurn, scanned, rows } = await pageAt(`direction=issued&period=${world.periods[1]}`, 0);
  expect({ inTurn, scanned, rows }).toEqual({ inTurn: 3, scanned: PAGE, rows: PAGE });
});

test('a page that is beyond the last row reads none', async () => {
  const { rows, scanned } = await pageAt('', ROWS);
  expect({ rows, scanned }).toEqual({ rows: 0, scanned: 0 });
});

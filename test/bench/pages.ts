/**
 * `node test/bench/pages.ts`: lines 1, 2 and 3. 200,000 documents of the register in 24 equal months; pages of 50 by
 * the list endpoint, at the first row, far in, and at the last, under every filter, compared with a bare query for 50
 * of the same rows. All are measured in turns. `--rows 200000 --rounds 60`; `--where` prints for each page where its
 * units go.
 */
import { parseArgs } from 'node:util';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { contract } from '#functions/api/tax-rcv-documents/list-tax-rcv-documents/contract.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { keys } from '#shared/table/keys.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { judgeCapacity, tellCapacity } from './capacity.ts';
import { filtersOf, offsetsOf, PAGE, TO_REACH } from './page-cases.ts';
import { newReadWorld, type ReadWorld } from './read-world.ts';
import { atMost, conclude, median, percentile, spread } from './report.ts';
import { type TableRead, tableCallsOf } from './table-calls.ts';

const WARM_UP_ROUNDS = 10;
/** A page of one row also reads the rows before it in its block: at most this many per facet partition. */
const ROWS_FOR_A_TOTAL = 64;
const MONTHS = 24;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '60' },
    where: { type: 'boolean', default: false },
  },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);

/** Number of rows per month, newest first. */
const sizesOf = (total: number, weightOf: (month: number) => number): number[] => {
  const weights = Array.from({ length: MONTHS }, (_, month) => weightOf(month));
  const one = total / weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.floor(weight * one));
};
const equal = (): number => 1;
/** One month is six times as large as the others, the next one three times. */
const uneven = (month: number): number => ({ 12: 6, 13: 3 })[month] ?? 1;

interface Case {
  filter: string;
  query: string;
  offset: number;
  total: number;
  readUnits: number;
  reads: TableRead[];
  ms: number[];
}

const casesOf = async (world: ReadWorld): Promise<Case[]> => {
  const cases: Case[] = [];
  for (const [filter, text] of Object.entries(filtersOf(world.periods))) {
    const { total } = await world.list(`${text}&limit=1`);
    for (const offset of offsetsOf(total)) {
      const query = `${text}&limit=${PAGE}&offset=${offset}`;
      const { readUnits, reads } = await tableCallsOf(() => world.list(query));
      cases.push({ filter, query, offset, total, readUnits, reads, ms: [] });
    }
  }
  return cases;
};

const whereUnitsGo = ({ filter, offset, readUnits, reads }: Case): string =>
  [
    `${filter}, row ${offset}: ${readUnits} units`,
    ...reads.map(({ what, place, units, items }) => `  ${place}. ${what}: ${units} units, ${items} items`),
  ].join('\n');

/**
 * The first 50 rows of the fullest partition of the newest month, read with only the SDK; and the list's query for
 * them.
 */
const floorOf = async ({ server, address, periods }: ReadWorld) => {
  const period = periods[0]!;
  const { totals } = (await findSummary(address))[period]!;
  const [facets] = Object.entries(totals).toSorted((a, b) => b[1] - a[1])[0]!;
  const [direction, estado] = facets.split('.');
  const client = new DynamoDBClient();
  const command = {
    TableName: server.tableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: {
      ':pk': { S: keys.rows(address, period, facets) },
    },
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: PAGE,
  };
  const read = async (): Promise<number> => {
    const startedMs = performance.now();
    const { Items = [] } = await client.send(new QueryCommand(command));
    const ms = performance.now() - startedMs;
    if (Items.length !== PAGE) throw new Error(`the floor reads ${Items.length} rows`);
    return ms;
  };
  return { read, query: `period=${period}&direction=${direction}&estado=${estado}&limit=${PAGE}` };
};

/** Cost of totals: pages of one row, over all rows and over a tenth of them. */
const totalsOf = async (world: ReadWorld) => {
  const found: { filter: string; total: number; readUnits: number; scanned: number; calls: number }[] = [];
  for (const [filter, text] of Object.entries(filtersOf(world.periods))) {
    const query = `${text}&limit=1`;
    const { total } = await world.list(query);
    const { readUnits, scanned, calls } = await tableCallsOf(() => world.list(query));
    found.push({ filter, total, readUnits, scanned, calls });
  }
  return found;
};

/** Longer than any period counts as recently written. */
const SETTLED_MS = 3_600_000;

const server = await startTable();
try {
  const capacity = await judgeCapacity(server.tableName);
  console.log(tellCapacity(capacity));
  const startedMs = performance.now();
  const small = await newReadWorld(server, taxRcv, contract.id, sizesOf(rows / 10, equal));
  const skewed = await newReadWorld(server, taxRcv, contract.id, sizesOf(rows / 2, uneven));
  const world = await newReadWorld(server, taxRcv, contract.id, sizesOf(rows, equal));
  console.log(
    `${world.rows}, ${skewed.rows} and ${small.rows} rows put in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
  );

  // Rows of a month that was written within a minute cost twice as much: without this, the duration of the filling
  // would decide.
  plantClock(() => Date.now() + SETTLED_MS);

  const floor = await floorOf(world);
  const first = { query: '&limit=50', ms: [] as number[] };
  const same = { query: floor.query, ms: [] as number[] };
  const floorMs: number[] = [];
  const cases = await casesOf(world);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const bare = await floor.read();
    if (round >= 0) floorMs.push(bare);
    for (const each of [first, same, ...cases]) {
      const { ms } = await world.list(each.query);
      if (round >= 0) each.ms.push(ms);
    }
  }

  if (values.where) for (const each of cases) console.log(whereUnitsGo(each));
  const firstOf = (each: Case, all = cases): Case =>
    all.find(({ filter, offset }) => filter === each.filter && offset === 0)!;
  const table = cases.map((each) => ({
    filter: each.filter,
    offset: each.offset,
    total: each.total,
    readUnits: each.readUnits,
    p50: Number(median(each.ms).toFixed(2)),
    p95: Number(percentile(each.ms, 0.95).toFixed(2)),
    unitsOverFirst: each.readUnits - firstOf(each).readUnits,
    timeOfFirst: Number((median(each.ms) / median(firstOf(each).ms)).toFixed(2)),
  }));
  console.table(table);
  const ofSkewed = await casesOf(skewed);
  const skewedUnits = ofSkewed.map((each) => ({
    filter: each.filter,
    offset: each.offset,
    readUnits: each.readUnits,
    unitsOverFirst: each.readUnits - firstOf(each, ofSkewed).readUnits,
  }));
  const most = Math.max(...skewedUnits.map(({ unitsOverFirst }) => unitsOverFirst));
  // Not judged: the index of a larger month is larger (docs/performance.md).
  console.log(
    `months of unequal size, the largest six times the others: at most ${most} units more than the first page`,
  );
  const totals = { much: await totalsOf(world), tenth: await totalsOf(small) };
  console.table(totals.much.map((each, n) => ({ ...each, 'units of a tenth': totals.tenth[n]!.readUnits })));
  const { calls, readUnits } = await tableCallsOf(() => world.list(same.query));
  const trips: number[] = [];
  for (const { query } of [first, same, ...cases]) trips.push((await tableCallsOf(() => world.list(query))).inTurn);
  const ofFloor = median(same.ms) / median(floorMs);
  const worst = (of: (row: (typeof table)[number]) => number): number => Math.max(...table.map(of));
  conclude(
    'pages',
    [
      atMost(1, 'read units of a page, more than the first', {
        value: worst((row) => row.unitsOverFirst),
        limit: TO_REACH.unitsOverFirst,
      }),
      atMost(1, 'p50 of a page, times the first', {
        value: worst((row) => row.timeOfFirst),
        limit: TO_REACH.timeOfFirst,
      }),
      atMost(2, `rows read to tell a total of ${world.rows}`, {
        value: Math.max(...totals.much.map(({ scanned }) => scanned)),
        limit: ROWS_FOR_A_TOTAL,
      }),
      atMost(3, 'table round trips one after another, of any page', {
        value: Math.max(...trips),
        limit: TO_REACH.trips,
      }),
      atMost(3, 'list of 50 rows, p50, times a bare query', {
        value: Number(ofFloor.toFixed(2)),
        limit: TO_REACH.timeOfFloor,
      }),
    ],
    {
      capacity,
      rows: world.rows,
      pages: table,
      unequalMonths: skewedUnits,
      totals,
      list: { calls, readUnits, ms: spread(same.ms), unfilteredMs: spread(first.ms), floorMs: spread(floorMs) },
    },
  );
} finally {
  await server.stop();
}
process.exit();

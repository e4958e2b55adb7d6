/**
 * `node test/bench/changes.ts`: lines 13, 14 and 15. The change feed as an integrator calls it, with the whole function
 * in this process: a poll that finds nothing, compared with a bare read of its two items; a first reading of 10,000
 * rows, compared with listing them; 100 changed rows far apart in a month, compared with a bare query for each. All are
 * measured in turns. `--rows 10000 --month 8333 --large 100000 --changed 100 --rounds 40`
 */
import { parseArgs } from 'node:util';
import { BatchGetItemCommand, DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { contract } from '#functions/api/tax-rcv-documents/list-tax-rcv-documents/contract.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { judgeCapacity, tellCapacity } from './capacity.ts';
import { changeRows } from './fill-scope.ts';
import { type ChangesRead, newReadWorld, type ReadWorld } from './read-world.ts';
import { atMost, conclude, median, spread } from './report.ts';
import { tableCallsOf } from './table-calls.ts';

const WARM_UP_ROUNDS = 5;
/** Largest page that a request may ask for. */
const CHANGES_A_PAGE = 200;
/** Rounds of a complete reading, which makes dozens of requests itself. */
const READINGS = 5;
const TO_REACH = {
  idleUnits: 3,
  idleTime: 3.5,
  denseUnits: 1.3,
  denseTime: 1.3,
  sparseUnits: 350,
  /** Blocks of such a large month are larger, and each request reads its index. */
  sparseOfManyUnits: 700,
  /** 2.6 queries per row, each for a block of rows. */
  sparseTime: 5,
  indexKb: 350,
};

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    month: { type: 'string', default: '8333' },
    large: { type: 'string', default: '100000' },
    changed: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '40' },
  },
});
const [rows, month, large, changed, rounds] = [
  values.rows,
  values.month,
  values.large,
  values.changed,
  values.rounds,
].map(Number) as [number, number, number, number, number];

interface Reading {
  pages: number;
  found: number;
  ms: number;
  cursor: string;
}

/** Reads page after page until no change is left. */
const readOn = async (world: ReadWorld, from: string | null): Promise<Reading> => {
  const reading = { pages: 0, found: 0, ms: 0, cursor: '' };
  let page: ChangesRead | undefined;
  do {
    const cursor = page?.cursor ?? from;
    page = await world.changes(`limit=${CHANGES_A_PAGE}${cursor === null ? '' : `&cursor=${cursor}`}`);
    reading.pages++;
    reading.found += page.rows;
    reading.ms += page.ms;
  } while (page.hasMore);
  return { ...reading, cursor: page.cursor };
};

const readList = async (world: ReadWorld): Promise<Reading> => {
  const reading = { pages: 0, found: 0, ms: 0, cursor: '' };
  while (reading.found < world.rows) {
    const page = await world.list(`limit=${CHANGES_A_PAGE}&offset=${reading.found}`);
    reading.pages++;
    reading.found += page.rows;
    reading.ms += page.ms;
  }
  return reading;
};

const unitsOf = async <T>(
  work: () => Promise<T>,
): Promise<{ units: number; calls: number; inTurn: number; told: T }> => {
  let told: T | undefined;
  const { readUnits, calls, inTurn } = await tableCallsOf(async () => {
    told = await work();
  });
  return { units: readUnits, calls, inTurn, told: told! };
};

const marshalled = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

/** Reads the items that a poll must read with only the SDK. */
const bareHead = ({ server, address: { organizationId, connectionId } }: ReadWorld) => {
  const client = new DynamoDBClient();
  const wanted = [keys.connection(organizationId, connectionId), keys.changes(organizationId, connectionId)];
  const command = { RequestItems: { [server.tableName]: { Keys: wanted.map(marshalled), ConsistentRead: true } } };
  return async (): Promise<void> => {
    const { Responses = {} } = await client.send(new BatchGetItemCommand(command));
    if (Responses[server.tableName]?.length !== wanted.length) throw new Error('the floor reads other items');
  };
};

/** Reads the changed rows with only the SDK, by their known keys: one query each, one after the other. */
const bareRows = ({ server }: ReadWorld, of: readonly Key[]) => {
  const client = new DynamoDBClient();
  const queryOf = ({ pk, sk }: Key) =>
    new QueryCommand({
      TableName: server.tableName,
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': { S: pk }, ':sk': { S: sk } },
      ConsistentRead: true,
    });
  return async (): Promise<void> => {
    for (const key of of) {
      const { Items = [] } = await client.send(queryOf(key));
      if (Items.length !== 1) throw new Error('the floor finds no row');
    }
  };
};

const inTurns = async (
  times: number,
  works: Record<string, () => Promise<number>>,
): Promise<Record<string, number[]>> => {
  const ms = Object.fromEntries(Object.keys(works).map((name) => [name, [] as number[]]));
  for (let round = -Math.min(WARM_UP_ROUNDS, times); round < times; round++)
    for (const [name, work] of Object.entries(works)) {
      const took = await work();
      if (round >= 0) ms[name]!.push(took);
    }
  return ms;
};

const exactly = (what: string, found: number, wanted: number): void => {
  if (found !== wanted) throw new Error(`${what}: ${found} changes, not ${wanted}`);
};

const worldOf = (server: TestTable, size: number): Promise<ReadWorld> =>
  newReadWorld(server, taxRcv, contract.id, [size]);

/** A list reads rows written over a minute ago from any replica, for half the units; the feed never does. */
const SETTLED_MS = 120_000;

const dense = async (world: ReadWorld) => {
  const feed = await unitsOf(() => readOn(world, null));
  exactly('the first reading', feed.told.found, world.rows);
  const list = await unitsOf(() => readList(world));
  plantClock(() => beganMs + SETTLED_MS);
  const settled = await unitsOf(() => readList(world));
  plantClock(() => beganMs);
  const ms = await inTurns(READINGS, {
    feed: async () => (await readOn(world, null)).ms,
    list: async () => (await readList(world)).ms,
  });
  return { feed, list, settled, ms: { feed: ms.feed!, list: ms.list! }, cursor: feed.told.cursor };
};

const idle = async (world: ReadWorld, cursor: string) => {
  const poll = await unitsOf(() => readOn(world, cursor));
  exactly('a poll that finds nothing', poll.told.found, 0);
  const bare = bareHead(world);
  const ms = await inTurns(rounds, {
    poll: async () => (await readOn(world, cursor)).ms,
    bare: () => timed(bare),
  });
  return { poll, ms: { poll: ms.poll!, bare: ms.bare! } };
};

/** Reads only changed rows, by the sequence of their change. */
const sparse = async (world: ReadWorld) => {
  const [period] = world.periods as [string];
  const { cursor } = await readOn(world, null);
  const of = await changeRows(world.address, { scope: taxRcv, period, count: changed });
  const feed = await unitsOf(() => readOn(world, cursor));
  exactly('far apart', feed.told.found, changed);
  const bare = bareRows(world, of);
  const ms = await inTurns(READINGS, {
    feed: async () => (await readOn(world, cursor)).ms,
    bare: () => timed(bare),
  });
  const { packed, stamps } = (await table.get(keys.period(world.address, period)))!;
  const bytes = [packed, stamps].reduce<number>((sum, each) => sum + (each as Uint8Array).byteLength, 0);
  return { rows: world.rows, feed, bytes, ms: { feed: ms.feed!, bare: ms.bare! } };
};

const ratio = (values: readonly number[], floor: readonly number[]): number =>
  Number((median(values) / median(floor)).toFixed(2));

// Rows count as just written for the whole measurement.
const beganMs = Date.now();
plantClock(() => beganMs);
const server = await startTable();
try {
  console.log(tellCapacity(await judgeCapacity(server.tableName)));
  const world = await worldOf(server, rows);
  const whole = await dense(world);
  const nothing = await idle(world, whole.cursor);
  const few = await sparse(await worldOf(server, month));
  const fewOfMany = await sparse(await worldOf(server, large));
  console.table({
    idle: { ...nothing.poll, told: nothing.poll.told.found },
    dense: { ...whole.feed, told: whole.feed.told.found },
    listed: { ...whole.list, told: whole.list.told.found },
    'listed, settled': { ...whole.settled, told: whole.settled.told.found },
    [`sparse, ${few.rows}`]: { ...few.feed, told: few.feed.told.found },
    [`sparse, ${fewOfMany.rows}`]: { ...fewOfMany.feed, told: fewOfMany.feed.told.found },
  });
  const isolated = `${changed} isolated changes of`;
  conclude(
    'changes',
    [
      atMost(13, 'read units of a poll that finds nothing', { value: nothing.poll.units, limit: TO_REACH.idleUnits }),
      atMost(13, 'the same, p50, times a bare read of its two items', {
        value: ratio(nothing.ms.poll, nothing.ms.bare),
        limit: TO_REACH.idleTime,
      }),
      atMost(
        14,
        `${rows} changes at limit ${CHANGES_A_PAGE}: read units, times listing the same rows as consistently`,
        {
          value: Number((whole.feed.units / whole.list.units).toFixed(2)),
          limit: TO_REACH.denseUnits,
        },
      ),
      atMost(14, 'the same, time', { value: ratio(whole.ms.feed, whole.ms.list), limit: TO_REACH.denseTime }),
      atMost(15, `${isolated} ${month} rows: read units`, { value: few.feed.units, limit: TO_REACH.sparseUnits }),
      atMost(15, `${isolated} ${large} rows: read units`, {
        value: fewOfMany.feed.units,
        limit: TO_REACH.sparseOfManyUnits,
      }),
      atMost(15, 'the same, time, times bare queries for the same rows', {
        value: ratio(fewOfMany.ms.feed, fewOfMany.ms.bare),
        limit: TO_REACH.sparseTime,
      }),
      atMost(15, `index and stamps of a month of ${large} rows, KB`, {
        value: Math.ceil(fewOfMany.bytes / 1000),
        limit: TO_REACH.indexKb,
      }),
    ],
    {
      rows,
      idle: { ...nothing.poll, pollMs: spread(nothing.ms.poll), floorMs: spread(nothing.ms.bare) },
      dense: {
        feed: whole.feed,
        list: whole.list,
        settled: whole.settled,
        feedMs: spread(whole.ms.feed),
        listMs: spread(whole.ms.list),
      },
      sparse: [few, fewOfMany].map(({ ms, ...each }) => ({
        ...each,
        feedMs: spread(ms.feed),
        floorMs: spread(ms.bare),
      })),
    },
  );
} finally {
  await server.stop();
}
process.exit();

/**
 * `node test/bench/first-sync.ts`: lines 4, 5 and 6. Parses, compares and writes a month of the register (20,000
 * documents), the same again, and the same with 1 % changed, compared with the floor: the same bytes with bare
 * `BatchWriteItem` at the best concurrency. Floor and syncs take turns in one process against one table, over several
 * rounds, so that other load on the machine affects both. `--documents 20000 --rounds 5`. Ends with 1 when a line is
 * missed.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { writePeriod } from '#shared/rows/write/write-period.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { type CountedWrites, countWrites } from './counted-writes.ts';
import { childrenSeconds } from './process-time.ts';
import { type RegisterMonth, readMonth, registerMonth } from './register-month.ts';
import { atLeast, atMost, conclude, machine, median, spread } from './report.ts';
import { floorItems, writeFloor } from './write-floor.ts';

const WIDTHS = [2, 4, 8, 16, 32];
const SAMPLE_DOCUMENTS = 2_000;
const CHANGE_EVERY_ROWS = 100;
/** A benchmark has no heartbeat: its lease must outlast a busy machine. */
const LEASE_MS = 3_600_000;
const TO_REACH = { firstOfFloorMin: 0.7, againOfFirstMax: 0.25, changedWritesMax: 0.011 };

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '5' } },
});
const documents = Number(values.documents);
const rounds = Number(values.rounds);

interface Timed {
  seconds: number;
  /** CPU time of this process meanwhile. */
  cpuSeconds: number;
  /** CPU time of the table meanwhile; 0 if another process runs it (`DYNAMODB_ENDPOINT`). */
  tableSeconds: number;
}

const timed = async <T>(work: () => Promise<T>): Promise<Timed & { result: T }> => {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const tableBefore = childrenSeconds();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return {
    seconds: (performance.now() - startedMs) / 1000,
    cpuSeconds: (user + system) / 1e6,
    tableSeconds: childrenSeconds() - tableBefore,
    result,
  };
};

interface Sync extends Timed {
  writes: CountedWrites;
}

const syncs = async (month: RegisterMonth): Promise<{ first: Sync; again: Sync; changed: Sync }> => {
  const address = { organizationId: randomUUID(), connectionId: randomUUID(), scope: taxRcv.name };
  const { lease } = await takeForRepair(address);
  lease.expiresAtMs += LEASE_MS;
  const sync = async (isFirst: boolean, changeEveryRows?: number): Promise<Sync> => {
    const { result, ...times } = await timed(() =>
      countWrites(async () => {
        const { rows } = await readMonth(month, address.connectionId, changeEveryRows);
        const writer = { address, scope: taxRcv, runId: randomUUID(), lease, period: month.period };
        return writePeriod(writer, rows, { mayBeElsewhere: !isFirst });
      }),
    );
    if (result.result.found !== documents) throw new Error(`${result.result.found} documents were found`);
    return { ...times, writes: result.writes };
  };
  return { first: await sync(true), again: await sync(false), changed: await sync(false, CHANGE_EVERY_ROWS) };
};

const server = await startTable();
try {
  const month = await registerMonth(documents);
  const client = new DynamoDBClient();
  /** Uses new keys each time, because overwriting an item costs a table less than a new item. */
  const floorAt = async (width: number, documentsMax = documents): Promise<Timed> => {
    const items = (await floorItems(month)).slice(0, 2 * documentsMax);
    return timed(() => writeFloor(client, server.tableName, items, width));
  };

  const trials: { width: number; seconds: number }[] = [];
  await floorAt(WIDTHS[0]!, SAMPLE_DOCUMENTS);
  for (const width of WIDTHS) {
    const tries = [await floorAt(width, SAMPLE_DOCUMENTS), await floorAt(width, SAMPLE_DOCUMENTS)];
    trials.push({ width, seconds: Math.min(...tries.map(({ seconds }) => seconds)) });
  }
  const { width } = trials.reduce((best, trial) => (trial.seconds < best.seconds ? trial : best));
  // One unmeasured run warms up the JavaScript engine.
  await syncs(month);

  const measured: { load: number; floor: Timed; first: Sync; again: Sync; changed: Sync }[] = [];
  for (let round = 0; round < rounds; round++) {
    // The floor is measured before and after, because the table grows and other load varies.
    const before = await floorAt(width);
    const done = await syncs(month);
    const after = await floorAt(width);
    const floor = {
      seconds: (before.seconds + after.seconds) / 2,
      cpuSeconds: (before.cpuSeconds + after.cpuSeconds) / 2,
      tableSeconds: (before.tableSeconds + after.tableSeconds) / 2,
    };
    measured.push({ load: machine().load, floor, ...done });
    console.log(
      `round ${round + 1}: floor ${floor.seconds.toFixed(1)} s, first ${done.first.seconds.toFixed(1)} s, ` +
        `again ${done.again.seconds.toFixed(1)} s, 1 % changed ${done.changed.seconds.toFixed(1)} s; load ${machine().load}`,
    );
  }

  const ofFloor = measured.map(({ floor, first }) => floor.seconds / first.seconds);
  const ofFirst = measured.map(({ first, again }) => again.seconds / first.seconds);
  const rowWrites = ({ listed, full }: CountedWrites): number => listed + full;
  const againWrites = Math.max(...measured.map(({ again }) => rowWrites(again.writes)));
  const changedShare = measured.map(({ changed, first }) => rowWrites(changed.writes) / rowWrites(first.writes));
  if (changedShare.includes(0)) throw new Error('no changed document was written');
  const indexWrites = Math.max(...measured.map(({ changed }) => changed.writes.index));
  const lines = [
    atLeast(4, 'rows/s of the first sync, of the floor', {
      value: median(ofFloor),
      limit: TO_REACH.firstOfFloorMin,
      figure: spread(ofFloor),
    }),
    atMost(5, 'row writes of the same again', { value: againWrites, limit: 0 }),
    atMost(5, 'time of the same again, of the first', {
      value: median(ofFirst),
      limit: TO_REACH.againOfFirstMax,
      figure: spread(ofFirst),
    }),
    atMost(6, 'row writes with 1 % changed, of the first', {
      value: Math.max(...changedShare),
      limit: TO_REACH.changedWritesMax,
      figure: `${spread(changedShare, 4)} and ${indexWrites} of the index`,
    }),
  ];
  const perSecond = (of: 'floor' | 'first'): string =>
    spread(
      measured.map((round) => documents / round[of].seconds),
      0,
    );
  console.log(`floor at ${width} in flight: ${perSecond('floor')} rows/s; first sync: ${perSecond('first')} rows/s`);
  const computed = ({ cpuSeconds, tableSeconds }: Timed): number => cpuSeconds + tableSeconds;
  const computedOfFloor = spread(measured.map(({ floor, first }) => computed(floor) / computed(first)));
  // Not judged, but more meaningful than time when more processes run than there are cores.
  console.log(`computed by writer and table together, floor of first sync: ${computedOfFloor}`);
  conclude('first-sync', lines, { documents, width, trials, computedOfFloor, rounds: measured });
} finally {
  await server.stop();
}

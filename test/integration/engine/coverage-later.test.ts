/** Coverage of a month at a later time: when the month is over, and when its rows have moved to another month. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type PeriodCoverage, readCoverage, readPeriodCoverage } from '#shared/sync/coverage/read-coverage.ts';
import { startRun } from '#shared/sync/start-run.ts';
import type { EngineWorld } from '#test/helpers/engine.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
const { source } = scripted;
let world: EngineWorld;
beforeAll(() => {
  ({ world } = scripted);
});

const DAY_MS = 86_400_000;
const [BEFORE, MONTH, HALFWAY, NEXT] = ['2026-09', '2026-10', '2026-11', '2026-12'];

const synchronize = async (connection: Connection, periods: string[]): Promise<void> => {
  const inputMetadata = { periods };
  await startRun(connection, { runId: randomUUID(), scopes: ['rcv'], inputMetadata, trigger: 'manual' });
  await world.drain();
};

/** The month as listed, which must equal the answer for only this month. */
const month = async ({ organizationId, id }: Connection, period: string): Promise<PeriodCoverage> => {
  const [coverage] = await readCoverage(organizationId, id, [taxRcv]);
  const listed = coverage!.periods.find((known) => known.period === period)!;
  const address = { organizationId, connectionId: id, scope: 'rcv' };
  expect(await readPeriodCoverage(address, taxRcv, period)).toMatchObject(listed);
  return listed;
};

test('a month that was read halfway is not complete once it is over, until it is read again', async () => {
  const connection = await world.connect({ login: 'good' });
  source.script.isHonest = true;
  source.script.folios = { [HALFWAY]: [1, 2] };
  await synchronize(connection, [HALFWAY]);
  const halfway = await month(connection, HALFWAY);
  expect(halfway).toMatchObject({ state: 'complete', reason: null, isOpen: true, verdict: 'equal', rows: 2 });

  world.advance(14 * DAY_MS);
  source.script.folios = { [HALFWAY]: [1, 2, 3] };
  await synchronize(connection, [NEXT]);
  expect(await month(connection, HALFWAY)).toEqual({
    ...halfway,
    ...{ state: 'partial', reason: 'read_before_month_end', isOpen: false },
  });
  expect(await month(connection, NEXT)).toMatchObject({ state: 'complete', isOpen: true });

  await synchronize(connection, [HALFWAY]);
  expect(await month(connection, HALFWAY)).toMatchObject({ state: 'complete', reason: null, isOpen: false, rows: 3 });
});

test('a month whose rows all moved to a later one is complete: the reading without rows was complete', async () => {
  const connection = await world.connect({ login: 'good' });
  source.script.isHonest = true;
  await synchronize(connection, [BEFORE, MONTH]);
  const before = await month(connection, BEFORE);
  world.advance(3_600_000);
  source.script.folios = { [BEFORE]: [], [MONTH]: [1, 2, 3, 4, 5, 6] };
  // The earlier month is read first, while its rows are still there.
  await synchronize(connection, [BEFORE, MONTH]);
  const moved = await month(connection, BEFORE);
  expect(moved).toMatchObject({ rows: 0, state: 'complete', reason: null });
  expect(moved.asOf! > before.asOf!).toBe(true);
  expect(await month(connection, MONTH)).toMatchObject({ rows: 6, state: 'complete', verdict: 'equal' });
});

test('while one of them is left it is not', async () => {
  const connection = await world.connect({ login: 'good' });
  await synchronize(connection, [BEFORE, MONTH]);
  world.advance(3_600_000);
  source.script.folios = { [BEFORE]: [], [MONTH]: [1, 2, 4, 5, 6] };
  await synchronize(connection, [BEFORE, MONTH]);
  expect(await month(connection, BEFORE)).toMatchObject({ rows: 1, state: 'partial', reason: 'tax.rcv.rows_kept' });
});

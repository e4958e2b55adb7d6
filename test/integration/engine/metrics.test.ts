/**
 * What the engine reports to CloudWatch and the log about a run, a retry, a cancel and a sweep; never whose data it
 * was.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import { startRun } from '#shared/sync/start-run.ts';
import type { EngineWorld } from '#test/helpers/engine.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
let world: EngineWorld;
beforeAll(() => {
  ({ world } = scripted);
});
beforeEach(() => {
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
});

type Line = Record<string, unknown>;

/** Metric lines that `task` prints, each as name, value and dimensions; `text` is all that it printed. */
const told = async (task: () => Promise<unknown>): Promise<{ metrics: Line[]; text: string }> => {
  const captured = captureLog();
  await task();
  const text = captured.text();
  vi.restoreAllMocks();
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  return { metrics: lines.flatMap(({ _aws, service, ...metric }) => (_aws === undefined ? [] : [metric])), text };
};

const start = async (login: string) => {
  const connection = await world.connect({ login });
  const inputMetadata = { periods: ['2026-10'] };
  return {
    connection,
    run: await startRun(connection, { runId: randomUUID(), scopes: ['rcv'], inputMetadata, trigger: 'manual' }),
  };
};

test('a run that succeeds is reported once, with its rows and its time', async () => {
  const { connection, run } = await start('good');
  const { metrics, text } = await told(() => world.drain());
  expect(metrics).toEqual([
    { source: 'tax', cause: 'none', ScopesEnded: 1 },
    { scope: 'tax.rcv', ScopeDuration: expect.any(Number) },
    { source: 'tax', RowsCreated: expect.any(Number) },
    { source: 'tax', status: 'succeeded', RunsEnded: 1 },
  ]);
  const ended = text.split('\n').find((line) => line.includes('"a run ended"'));
  expect(JSON.parse(ended!)).toMatchObject({ run_id: run.id, connection_id: connection.id, status: 'succeeded' });
  for (const line of text.split('\n').filter((each) => each.includes('"_aws"')))
    for (const id of [world.organizationId, connection.id, run.id]) expect(line).not.toContain(id);
});

test('a cancelled run is reported once, regardless of its worker’s end', async () => {
  const { connection, run } = await start('good');
  const { metrics } = await told(async () => {
    await cancelRun(world.organizationId, connection.id, run.id);
    await cancelRun(world.organizationId, connection.id, run.id);
    await world.drain();
  });
  expect(metrics).toEqual([{ source: 'tax', status: 'cancelled', RunsEnded: 1 }]);
});

test('a sweep that finds nothing reports one kind, and how long a run with a lost message waits', async () => {
  // The first sweep of a day also compares schedules.
  await told(() => world.sweep());
  const quiet = await told(() => world.sweep());
  expect(quiet.metrics).toEqual([{ kind: 'run', OldestDueAge: 0 }]);
  await start('good');
  world.messages.length = 0;
  const ages = [];
  for (let sweeps = 0; sweeps < 6; sweeps++) {
    world.advance(100_000);
    const { metrics } = await told(() => world.sweep());
    // No worker takes the messages that the sweeper sends: the age grows, although its reminders move the due entry.
    world.messages.length = 0;
    ages.push(metrics.find(({ kind, OldestDueAge }) => kind === 'run' && OldestDueAge !== undefined)!.OldestDueAge);
  }
  expect(ages).toEqual([100, 200, 300, 400, 500, 600]);
});

/**
 * How often the sweeper sends reminders of work that no worker takes. It runs each minute, and each of its steps takes
 * time.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import { dispatchRun, startRun } from '#shared/sync/start-run.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const MINUTES = 9;

test('at the first sweep, at the next, then at every second one: none is missed by milliseconds', async () => {
  const { world } = scripted;
  let clockMs = START_MS;
  // Each look at the clock moves it on.
  plantClock(() => clockMs++);
  const connection = await world.connect({ login: 'good' });
  const inputMetadata = { periods: ['2026-10'] };
  const run = await startRun(connection, { runId: randomUUID(), scopes: ['rcv'], inputMetadata, trigger: 'manual' });
  await dispatchRun(world.organizationId, connection.id, run.id);
  // The message of the task is lost, and so is every reminder.
  const reminded: number[] = [];
  for (let minute = 1; minute <= MINUTES; minute++) {
    world.messages.length = 0;
    // The task became due milliseconds after the sweep of its minute: the second sweep is the first to find it.
    clockMs = START_MS + (minute + 1) * MINUTE_MS;
    await world.sweep();
    if (world.messages.some(({ body }) => body.runId === run.id)) reminded.push(minute);
  }
  expect(reminded).toEqual([1, 2, 4, 6, 8]);
});

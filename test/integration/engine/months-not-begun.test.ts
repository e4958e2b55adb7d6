/** A month that has not begun is not requested: it ends as a notice, and does not affect the other months. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { nowMs } from '#shared/platform/clock.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();

const outcomeOf = async (periods: string[]) => {
  const { world } = scripted;
  const connection = await world.connect({ login: randomUUID() });
  const request = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods } };
  await startRun(connection, { ...request, trigger: 'manual' });
  await world.drain({ jump: true });
  const run = await runs.find(world.organizationId, connection.id, request.runId);
  return run?.outcomes.rcv;
};

const notice = (period: string) => ({
  code: 'tax.rcv.not_begun',
  message: `${period} has not begun yet, so it was not read.`,
});

test('next to months that have begun', async () => {
  const current = santiagoPeriod(nowMs());
  const next = addMonths(current, 1);
  expect(await outcomeOf([next, current])).toMatchObject({ status: 'ok', periods: [current], notices: [notice(next)] });
});

test('alone: nothing is found, and nothing failed', async () => {
  const next = addMonths(santiagoPeriod(nowMs()), 1);
  expect(await outcomeOf([next])).toMatchObject({
    status: 'ok',
    recordsFound: 0,
    period: null,
    periods: [],
    notices: [notice(next)],
  });
});

/**
 * A document that moves to a later month, as a pending invoice does that is accepted by time: the earlier month is
 * compared with the institution's totals after the later month was written.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { readCoverage } from '#shared/sync/coverage/read-coverage.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { EngineWorld } from '#test/helpers/engine.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
const { source } = scripted;
const [BEFORE, MONTH] = ['2026-09', '2026-10'];
let world: EngineWorld;
let connection: Connection;
beforeAll(() => {
  ({ world } = scripted);
});
beforeEach(async () => {
  connection = await world.connect({ login: 'good' });
  source.script.isHonest = true;
  source.script.folios = { ...source.script.folios, [BEFORE]: [1, 2, 3], [MONTH]: [4, 5, 6] };
  await sync([BEFORE, MONTH]);
});

const sync = async (periods: string[]) => {
  const request = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods } };
  const { id } = await startRun(connection, { ...request, trigger: 'manual' });
  await world.drain({ jump: true });
  return (await runs.find(world.organizationId, connection.id, id))!.outcomes.rcv!;
};
const readMonths = async () => {
  const [coverage] = await readCoverage(connection.organizationId, connection.id, [taxRcv]);
  return coverage!.periods.map(({ period, rows, state, verdict }) => ({ period, rows, state, verdict }));
};
const show = (before: number[], month: number[]): void => {
  source.script.folios = { ...source.script.folios, [BEFORE]: before, [MONTH]: month };
};

test('a run that reads both months reports no difference', async () => {
  show([1, 2], [3, 4, 5, 6]);
  expect(await sync([BEFORE, MONTH])).toMatchObject({ status: 'ok', notices: [] });
  expect(await readMonths()).toEqual([
    { period: MONTH, rows: 4, state: 'complete', verdict: 'equal' },
    { period: BEFORE, rows: 2, state: 'complete', verdict: 'equal' },
  ]);
});

test('the only document of a month may leave it', async () => {
  show([1], [4]);
  connection = await world.connect({ login: 'good' });
  await sync([BEFORE, MONTH]);
  show([], [1, 4]);
  expect((await sync([BEFORE, MONTH])).notices.map(({ code }) => code)).not.toContain('tax.rcv.totals_differ');
});

test('a document that no month shows is still reported, with the figures of the end', async () => {
  show([1], [3, 4, 5, 6]);
  const { notices } = await sync([BEFORE, MONTH]);
  expect(notices).toEqual([
    {
      code: 'tax.rcv.totals_differ',
      message: expect.stringMatching(
        /^2026-09: .*the source says rows 1, the stored rows come to 2\. 1 row that the source does not show is among them\./,
      ),
      params: { period: '2026-09', count: expect.any(Number) },
    },
  ]);
  expect(await readMonths()).toMatchObject([{ verdict: 'equal' }, { rows: 2, verdict: 'differs' }]);
});

test('a document that both months show leaves no figure that counts it', async () => {
  show([1, 2, 3], [3, 4, 5, 6]);
  expect(await sync([BEFORE, MONTH])).toMatchObject({ status: 'ok', notices: [] });
  expect(await readMonths()).toMatchObject([{ verdict: 'equal' }, { rows: 2, verdict: 'not_told' }]);
});

test('a month that a worker left half moved is compared no more', async () => {
  show([1], [2, 3, 4, 5, 6]);
  const address = { organizationId: world.organizationId, connectionId: connection.id, scope: 'rcv' };
  // As after the death of a worker between two moves.
  source.script.pull = async () => {
    source.script.pull = async () => {
      await table.update(keys.period(address, BEFORE), { set: { dirty: true } });
      return undefined as never;
    };
    return undefined as never;
  };
  expect((await sync([BEFORE, MONTH])).notices).toEqual([]);
  expect(await readMonths()).toMatchObject([{ verdict: 'equal' }, { rows: 1, verdict: 'not_told' }]);
});

test('totals of an earlier run are not compared with rows that left since', async () => {
  show([1, 2], [3, 4, 5, 6]);
  expect(await sync([MONTH])).toMatchObject({ status: 'ok', notices: [] });
  expect(await readMonths()).toMatchObject([{ verdict: 'equal' }, { rows: 2, verdict: 'not_told' }]);
});

/**
 * The same company three times: in the middle of a month, at its end, and when it is over and settled. Pending rows
 * change, statements close and replace provisional rows, tenders move on; each time the rows are exactly those that the
 * institution holds.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { sampled } from '#test/helpers/effort.ts';
import { startMirror } from '#test/helpers/mirror.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { readerOf } from '#test/helpers/source-totals.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { type Ended, endAll, expectWhole, inputOf, readBooks, STAGE_TIMEOUT_MS } from './stage.ts';

const DAY_MS = 86_400_000;
const STARTS_AT = '2026-11-17T12:00:00.000Z';
/** To 30 November, and to 12 December. */
const LEAPS_DAYS = [13, 12];
const MONTHS = [
  ['2026-10', '2026-11'],
  ['2026-10', '2026-11'],
  ['2026-11', '2026-12'],
];

const folders = await loadSources();

describe.each(sampled(folders, 2).map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  let world: SourceWorld;
  const seen: Ended[] = [];
  beforeAll(async () => {
    world = await startSourceWorld([folder], { table: 'quick', startsAt: STARTS_AT });
    const [first] = folder.credentials;
    seen.push((await endAll(world, folder, [first!], inputOf(folder, MONTHS[0]))).get(first!)!);
    const [{ story, connection }] = seen as [Ended];
    for (const [at, days] of LEAPS_DAYS.entries()) {
      world.advance(days * DAY_MS);
      const run = await world.start(connection, inputOf(folder, MONTHS[at + 1]));
      await world.drain();
      seen.push(await readBooks(world, story, run));
    }
  }, STAGE_TIMEOUT_MS);
  afterAll(async () => {
    await seen[0]?.story.close();
    await world.stop();
  });

  test.each(['in the middle of a month', 'at its end', 'when it is over'].map((when, at) => [when, at] as const))(
    '%s',
    (_when, at) => expectWhole(seen[at]!, at === LEAPS_DAYS.length),
  );

  test('there was something to see', () => {
    const [, ...later] = seen.map(({ run }) => Object.values(run.outcomes));
    const changed = later.flat().filter((outcome) => outcome.recordsCreated! + outcome.recordsUpdated! > 0);
    // More changed than the balances, which every sync observes again.
    expect(changed.filter(({ scope }) => scope !== 'balances')).not.toEqual([]);
  });
});

test(
  'provisional rows that the closed statement does not show are reported, with their number',
  async () => {
    const folder = folders.find(({ code }) => code === 'bankone')!;
    const entry = folder.credentials.find(({ behaviour }) => behaviour === 'provisional_differs')!;
    const world = await startSourceWorld([folder], { table: 'quick', startsAt: STARTS_AT });
    try {
      const { story, connection } = (await endAll(world, folder, [entry])).get(entry)!;
      const ids = async () => {
        const rows = await (await readerOf(connection)).rows(bankoneMovements, 'period=2026-11');
        return new Set(rows.map(({ id }) => id));
      };
      const left = async (all: Set<unknown>) => {
        const now = await ids();
        return [...all].filter((id) => !now.has(id)).length;
      };
      const before = await ids();
      const mirror = startMirror(
        { organizationId: connection.organizationId, connectionId: connection.id },
        'movements',
      );
      await mirror.catchUp();
      world.advance(25 * DAY_MS);
      const started = await world.start(connection, { periods: ['2026-11'] });
      await world.drain();
      const { run } = await world.look(started);
      const gone = await left(before);
      expect(gone).toBe(2);
      const told = await mirror.catchUp();
      expect(told.filter(({ change, runId }) => change === 'deleted' && runId === run.id)).toHaveLength(2);
      const mirrored = [...mirror.rows.values()].filter(({ period }) => period === '2026-11');
      expect(new Set(mirrored.map(({ id }) => id))).toEqual(await ids());
      expect(run.outcomes.movements).toMatchObject({ status: 'ok' });
      expect(run.outcomes.movements!.notices[0]).toEqual({
        code: 'bankone.movements.rows_replaced',
        message: '2026-11: 2 rows that the closed statement does not show were removed.',
        params: { period: '2026-11', count: 2 },
      });
      await story.close();
    } finally {
      await world.stop();
    }
  },
  STAGE_TIMEOUT_MS,
);

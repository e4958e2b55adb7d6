/** Pending purchases that are accepted in the next month move there, and no month is called different for it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { readerOf } from '#test/helpers/source-totals.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { STAGE_TIMEOUT_MS } from './stage.ts';

const [BEFORE, MONTH] = ['2026-11', '2026-12'] as const;
const [folder] = (await loadSources(['tax'])) as [SourceFolder];
const [register] = folder.scopes.filter(({ name }) => name === 'rcv') as [ScopeDefinition];
let world: SourceWorld;
let story: Story;
beforeAll(async () => {
  world = await startSourceWorld([folder], { table: 'quick', startsAt: '2026-12-01T12:00:00.000Z' });
  story = await startStory(folder, folder.credentials[0]!);
}, STAGE_TIMEOUT_MS);
afterAll(async () => {
  await story.close();
  await world.stop();
});

test('three of them', { timeout: STAGE_TIMEOUT_MS }, async () => {
  const connection = { ...(await world.connect(story)), enabledScopes: ['rcv'] };
  const sync = async () => {
    const run = await world.start(connection, { periods: [BEFORE, MONTH] });
    await world.drain();
    return (await world.look(run)).run.outcomes.rcv;
  };
  const periods = async () => {
    const rows = await (await readerOf(connection)).rows(register, '');
    return new Map(rows.map(({ id, period }) => [id, period]));
  };
  expect(await sync()).toMatchObject({ status: 'ok', notices: [] });
  const before = await periods();
  expect(await story.knobs({ rut: story.login, period: BEFORE, accept: 3 })).toBe(200);
  expect(await sync()).toMatchObject({ status: 'ok', notices: [], recordsCreated: 0 });
  const moved = [...(await periods())].filter(([id, period]) => before.get(id) !== period);
  expect(moved.map(([, period]) => period)).toEqual([MONTH, MONTH, MONTH]);
});

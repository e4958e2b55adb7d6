/** Pending purchases that are accepted in the next month move there, and no month is called different for it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { readerOf } from '#test/helpers/source-totals.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { STAGE_TIMEOUT_MS } from './stage.ts';

const [BEFORE, MONTH] = ['2026-11', '2026-12'] as const;
const DAY_MS = 86_400_000;
const [folder] = (await loadSources(['tax'])) as [SourceFolder];
const [register] = folder.scopes.filter(({ name }) => name === 'rcv') as [ScopeDefinition];
let world: SourceWorld;
let story: Story;
beforeAll(async () => {
  world = await startSourceWorld([folder], { table: 'quick', startsAt: '2026-11-30T12:00:00.000Z' });
  story = await startStory(folder, folder.credentials.find(({ behaviour }) => behaviour === 'accepts_later')!);
}, STAGE_TIMEOUT_MS);
afterAll(async () => {
  await story.close();
  await world.stop();
});

test('at the end of a month', { timeout: STAGE_TIMEOUT_MS }, async () => {
  const connection = { ...(await world.connect(story)), enabledScopes: ['rcv'] };
  const sync = async (periods: string[]) => {
    const run = await world.start(connection, { periods });
    await world.drain();
    return (await world.look(run)).run.outcomes.rcv;
  };
  const pending = async (query: string) => {
    const rows = await (await readerOf(connection)).rows(register, query);
    return rows.filter(({ estado }) => estado === 'pendiente').map(({ id }) => id);
  };
  expect(await sync(['2026-10', BEFORE])).toMatchObject({ status: 'ok', notices: [] });
  const before = await pending(`period=${BEFORE}`);
  expect(before.length).toBeGreaterThan(2);
  world.advance(DAY_MS);
  expect(await sync([BEFORE, MONTH])).toMatchObject({ status: 'ok', notices: [], recordsUpdated: before.length });
  const moved = await (await readerOf(connection)).rows(register, `period=${MONTH}`);
  const ids = new Map(moved.map(({ id, estado }) => [id, estado]));
  expect(before.map((id) => ids.get(id))).toEqual(before.map(() => 'registro'));
});

/**
 * The first row of every credential table: a first sync of all months over a real table, read back by scope and month;
 * then another sync, which changes nothing.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SourceManifest } from '#shared/sources/source.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { readerOf } from '#test/helpers/source-totals.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import {
  type Ended,
  endAll,
  expectWhole,
  isObserved,
  readBooks,
  STAGE_TIMEOUT_MS,
} from '../integration/sources/stage.ts';

const folders = await loadSources();
let world: SourceWorld;
const monthsOf = (manifest: SourceManifest, scope: string): number =>
  manifest.scopeBackfillMonths?.[scope] ?? manifest.backfillMonths;

beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'real' });
});
afterAll(() => world.stop());

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const [first] = folder.credentials;
  let before: Ended;
  beforeAll(async () => {
    before = (await endAll(world, folder, [first!], {})).get(first!)!;
  }, STAGE_TIMEOUT_MS);
  afterAll(() => before.story.close());

  test('a first sync reads all months, and every sum is the institution’s', () => {
    expectWhole(before);
    for (const { name } of folder.scopes.filter(({ periodic }) => periodic)) {
      expect(before.run.outcomes[name]!.periods).toHaveLength(monthsOf(folder.manifest, name));
      expect(before.books.get(name)!.size).toBeGreaterThan(1);
    }
  });

  test(
    'a second sync creates and updates nothing; balances are observed once more',
    async () => {
      // An institution may give the time of a balance to the minute: within a minute there is nothing new to observe.
      world.advance(5 * 60_000);
      const again = await world.start(before.connection, {});
      await world.drain();
      const after = await readBooks(world, before.story, again);
      expect(after.run.status).toBe('succeeded');
      const reader = await readerOf(after.connection);
      for (const scope of folder.scopes) {
        const { recordsFound, recordsCreated, recordsUpdated } = after.run.outcomes[scope.name]!;
        expect([recordsCreated, recordsUpdated], scope.name).toEqual([isObserved(scope) ? recordsFound : 0, 0]);
        if (isObserved(scope)) expect(await reader.rows(scope)).toHaveLength(2 * recordsFound!);
        expect(after.books.get(scope.name), scope.name).toEqual(before.books.get(scope.name));
      }
    },
    STAGE_TIMEOUT_MS,
  );
});

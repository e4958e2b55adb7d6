/** The large company of every source: months of thousands of rows are read completely, to the last decimal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSources } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { endAll, expectWhole } from '#test/integration/sources/stage.ts';

const LARGE_MS = 600_000;
/** Rows of the fullest month, over all scopes, from which a company counts as large. */
const ROWS_MIN = 4_000;

const folders = await loadSources();
let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'real' });
});
afterAll(() => world.stop());

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const entries = folder.credentials.filter(({ behaviour }) => behaviour === 'large');

  test('has a large company', () => expect(entries).not.toEqual([]));

  test.each(entries.map((entry) => [entry.label, entry] as const))(
    '%s',
    { timeout: LARGE_MS },
    async (_label, entry) => {
      const ended = (await endAll(world, folder, [entry])).get(entry)!;
      await ended.story.close();
      expectWhole(ended);
      const counts = [...ended.books.values()].flatMap((units) => [...units.values()].map(({ ours }) => ours.count));
      expect(Math.max(...counts)).toBeGreaterThan(ROWS_MIN);
    },
  );
});

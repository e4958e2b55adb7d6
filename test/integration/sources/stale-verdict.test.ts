/**
 * A scope may read its run just before another scope's login is refused, and get its slot just after. Its copy of the
 * run does not show the refusal, and the password must not be sent again.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadSources } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { endAll, STAGE_TIMEOUT_MS } from './stage.ts';

vi.mock('#shared/sync/run/run.store.ts', async (original) => {
  const real = await original<typeof import('#shared/sync/run/run.store.ts')>();
  const find: typeof real.find = async (...address) => {
    const run = await real.find(...address);
    return run && { ...run, login: null };
  };
  return { ...real, find };
});

const folders = (await loadSources()).filter(({ scopes }) => scopes.length > 1);
let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'quick' });
});
afterAll(() => world.stop());

test.each(folders.map((folder) => [folder.code, folder] as const))(
  '%s',
  { timeout: STAGE_TIMEOUT_MS },
  async (_, folder) => {
    const entries = folder.credentials.filter(({ behaviour }) => behaviour === 'wrong_password');
    for (const { story, run, logins } of (await endAll(world, folder, entries)).values()) {
      await story.close();
      expect(Object.values(run.outcomes).map(({ errorCode }) => errorCode)).toEqual(
        folder.scopes.map(() => 'source.invalid_credentials'),
      );
      expect(logins).toBe(1);
    }
  },
);

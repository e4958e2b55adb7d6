/**
 * Every source with an institution that allows few calls at a time: the work is handed over again and again, at another
 * point for each number of calls, and ends as it does in one piece. Some institutions end the session meanwhile.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sourcePaceVariable } from '#shared/platform/needs.ts';
import { sampled } from '#test/helpers/effort.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { endAll, expectFoundTenders, expectWhole, QUIET_HOURS, works } from './stage.ts';
import { NO_LOGIN } from './wire-gaps.ts';

/** A wait for the next window is always handed over, and an hour has many windows. */
const WINDOW_MS = 20_000;
/** Enough for a login. A window of fewer than ten calls leaves none for the logout, which the sweeper then makes. */
const CALLS = [10, 13, 20];

const folders = await loadSources();
let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'quick', startsAt: QUIET_HOURS });
});
afterAll(() => world.stop());
afterEach(() => void vi.unstubAllEnvs());

describe.each(sampled(folders, 2).map((folder) => [folder.code, folder] as const))('%s', (code, folder) => {
  const { sessionsPerLogin } = folder.manifest;
  const all = folder.credentials.filter(works);
  const entries = [all[0]!, ...all.filter(({ behaviour }) => behaviour === 'session_expires')];

  test.each(sampled(CALLS, CALLS.length))('%i calls at a time', { timeout: 120_000 }, async (calls) => {
    vi.stubEnv(sourcePaceVariable(code), `0,${calls * sessionsPerLogin},${WINDOW_MS}`);
    const beganMs = world.nowMs();
    for (const ended of (await endAll(world, folder, entries)).values()) {
      await ended.story.close();
      expectWhole(ended);
      expectFoundTenders(ended.run, ended.books, folder.scopes);
      const isEnded = ended.story.entry.behaviour === 'session_expires';
      if (!(code in NO_LOGIN)) expect(ended.logins).toBeLessThanOrEqual(isEnded ? 2 : 1);
    }
    if (calls === Math.min(...CALLS)) expect(world.nowMs() - beganMs).toBeGreaterThan(WINDOW_MS);
  });
});

/**
 * Every row of every credential table that works: all scopes end `ok`, and rows as the lists serve them equal what the
 * institution holds, by scope and month, to the last decimal. `npm run test:slow` runs the large ones.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import { sampled } from '#test/helpers/effort.ts';
import { expectTotalsOfLedger, SUMMED_SCOPES } from '#test/helpers/list-totals.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import {
  type Ended,
  endAll,
  expectFoundTenders,
  expectWhole,
  inputOf,
  MONTHS,
  passwordsOf,
  QUIET_HOURS,
  readBooks,
  STAGE_TIMEOUT_MS,
  works,
} from './stage.ts';
import { NO_LOGIN } from './wire-gaps.ts';

/** The institution changes while it is read: rows that came too late for one sync come with the next. */
const MOVES_MEANWHILE = 'rows_arrive';

const folders = await loadSources();
let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'quick', startsAt: QUIET_HOURS });
});
afterAll(() => world.stop());

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const entries = sampled(folder.credentials.filter(works), 20);
  let ended: Map<SandboxCredential, Ended>;
  beforeAll(async () => {
    // The longest pauses that are drawn, so that each run has the same logins.
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    ended = await endAll(world, folder, entries);
    for (const entry of entries.filter(({ behaviour }) => behaviour === MOVES_MEANWHILE)) {
      const { story, connection } = ended.get(entry)!;
      const again = await world.start(connection, inputOf(folder));
      await world.drain();
      ended.set(entry, await readBooks(world, story, again));
    }
  }, STAGE_TIMEOUT_MS);
  afterAll(() => Promise.all([...ended.values()].map(({ story }) => story.close())));

  test.each(entries.map((entry) => [entry.label, entry] as const))('%s', (_label, entry) => {
    const { logins, run, story, books } = ended.get(entry)!;
    expectWhole(ended.get(entry)!);
    expectFoundTenders(run, books, folder.scopes);
    for (const password of passwordsOf(story)) expect(JSON.stringify(run)).not.toContain(password);
    // One login, and one more if its session ends: the scopes share it.
    // A pause of over a minute ends the session, and bank two asks for two of them.
    const hasTwo =
      /^session_(?:expires|taken_over)/.test(entry.behaviour) ||
      (folder.code === 'banktwo' && entry.behaviour === 'rate_limited');
    if (!(folder.code in NO_LOGIN) && ![MOVES_MEANWHILE, 'short_token'].includes(entry.behaviour))
      expect(logins).toBe(hasTwo ? 2 : 1);
  });

  const summed = SUMMED_SCOPES.filter(({ source }) => source === folder.code);
  test.each(entries.map((entry) => [entry.label, entry] as const))('%s: totals equal the ledger', async (_l, entry) => {
    const { connection, story } = ended.get(entry)!;
    const ledger = await story.ledger();
    for (const scope of summed)
      await expectTotalsOfLedger(connection, scope, ledger[scope.name]!, MONTHS, (all) => sampled(all, 40));
  });

  test('the first row has data in every scope, an empty institution in none', () => {
    const filled = (entry: SandboxCredential): string[] =>
      [...ended.get(entry)!.books].flatMap(([scope, units]) =>
        [...units.values()].some(({ ours }) => ours.count > 0) ? [scope] : [],
      );
    expect(filled(folder.credentials[0]!)).toEqual([...folder.manifest.scopes]);
    for (const entry of entries.filter(({ behaviour }) => behaviour === 'empty')) expect(filled(entry)).toEqual([]);
  });
});

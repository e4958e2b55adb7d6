/**
 * An institution sends right data once, and the same data with damaged texts afterwards. The damaged texts replace no
 * stored text, and the second sync changes no row.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { type Lie, whileLying } from '#test/fakes/lying-wire.ts';
import { sampled } from '#test/helpers/effort.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { readerOf } from '#test/helpers/source-totals.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { STAGE_TIMEOUT_MS } from './stage.ts';

vi.mock('#shared/transport/connections.ts', () => import('#test/fakes/lying-wire.ts'));

const PERIODS = ['2026-10', '2026-11'];
/** All scopes of these sources whose rows contain texts of third parties. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  bankone: ['movements', 'transfers', 'nominas'],
  banktwo: ['movements'],
  tax: ['rcv', 'guias'],
};

const ACCENT = /[À-ÿ]/g;
const inUtf8 = (letter: string): string => Buffer.from(letter).toString('latin1');
const ENTITIES: Readonly<Record<string, string>> = { Ñ: '&Ntilde;', ñ: '&ntilde;', Ó: '&Oacute;', ó: '&oacute;' };

/** Changes each letter beyond ASCII in the texts of a JSON answer. */
const damaging =
  (damage: (letter: string) => string): Lie =>
  (_path, _asked, { status, body }) => {
    const text = Buffer.from(body, 'latin1').toString('utf8');
    if (!/^\s*[[{]/.test(text) || !ACCENT.test(text)) return undefined;
    return { status, body: Buffer.from(text.replaceAll(ACCENT, damage)).toString('latin1') };
  };

const DAMAGES: readonly (readonly [what: string, lie: Lie, isReported: boolean])[] = [
  ['U+FFFD in valid UTF-8', damaging(() => '\uFFFD'), true],
  ['question marks', damaging(() => '?'), false],
  ['two question marks for each letter', damaging(() => '??'), false],
  ['UTF-8 that was encoded twice', damaging(inUtf8), true],
  ['HTML entities', damaging((letter) => ENTITIES[letter] ?? `&#${letter.charCodeAt(0)};`), true],
];

const folders = await loadSources(Object.keys(SCOPES));

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (code, folder) => {
  const scopes = folder.scopes.filter(({ name }) => SCOPES[code]!.includes(name));
  let world: SourceWorld;
  let story: Story;
  let connection: Connection;
  let right: unknown;

  const sync = async (): Promise<SyncRun['outcomes']> => {
    const run = await world.start(connection, { periods: PERIODS });
    await world.drain();
    return (await world.look(run)).run.outcomes;
  };
  const readRows = async () => {
    const reader = await readerOf(connection);
    return Promise.all(scopes.map(async (scope) => reader.inFull(scope, await reader.rows(scope))));
  };

  beforeAll(async () => {
    world = await startSourceWorld([folder], { table: 'quick' });
    story = await startStory(folder as SourceFolder, folder.credentials[0]!);
    connection = await world.connect(story);
    await sync();
    right = await readRows();
    expect(JSON.stringify(right)).toMatch(ACCENT);
  }, STAGE_TIMEOUT_MS);
  afterAll(async () => {
    await story.close();
    await world.stop();
  });

  test.each(sampled(DAMAGES, 3))('%s', { timeout: STAGE_TIMEOUT_MS }, async (_, lie, isReported) => {
    const lied = await whileLying(lie, sync);
    for (const { name } of scopes)
      expect([name, lied[name]!.status, lied[name]!.recordsUpdated, lied[name]!.recordsCreated]).toEqual([
        name,
        'ok',
        0,
        0,
      ]);
    expect(await readRows()).toEqual(right);
    const codes = scopes.flatMap(({ name }) => lied[name]!.notices.map((notice) => notice.code));
    expect(codes.some((each) => each.endsWith('.characters_damaged'))).toBe(isReported);
    const healed = await sync();
    for (const { name } of scopes) expect(healed[name]).toMatchObject({ recordsUpdated: 0, notices: [] });
  });
});

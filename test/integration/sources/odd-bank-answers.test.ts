/**
 * Odd answers in front of good rows. The run refuses or reports every odd answer. After the next right sync, or after
 * the first one that follows the waiting time, the rows are those of a connection that never saw the odd answer.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { type Lie, whileLying } from '#test/fakes/lying-wire.ts';
import { sampled } from '#test/helpers/effort.ts';
import {
  BANK_ONE_BATCHES,
  BANK_ONE_OPEN,
  BANK_ONE_TRANSFERS,
  emptyStatements,
  exchangedDirections,
  secondHalf,
} from '#test/helpers/odd-bank-answers.ts';
import {
  BANK_THREE_OPEN,
  BANK_TWO,
  BANK_TWO_LISTS,
  emptyFiles,
  secondHalfFile,
} from '#test/helpers/odd-file-answers.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { readerOf } from '#test/helpers/source-totals.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { STAGE_TIMEOUT_MS } from './stage.ts';

vi.mock('#shared/transport/connections.ts', () => import('#test/fakes/lying-wire.ts'));

const SEPTEMBER = '2026-09';
const OCTOBER = '2026-10';
const NOVEMBER = '2026-11';
const HOUR_MS = 3_600_000;

interface Case {
  source: string;
  scope: string;
  name: string;
  lie: Lie;
  /** Months that are read before the odd answer. By default, October and November. */
  before?: string[];
  /** Months that the odd and the right syncs read. */
  months?: string[];
  /** Hours after which a right sync heals; 0: the next one does. */
  hours?: number;
}

const each = (source: string, scope: string, lies: Readonly<Record<string, Lie>>): Case[] =>
  Object.entries(lies).map(([name, lie]) => ({ source, scope, name, lie }));

const CASES: readonly Case[] = [
  { source: 'bankone', scope: 'movements', name: 'every closed statement empty', lie: emptyStatements },
  {
    ...{ source: 'bankone', scope: 'movements', name: 'the second half of a closed month', lie: secondHalf(SEPTEMBER) },
    ...{ before: [SEPTEMBER, OCTOBER, NOVEMBER], months: [SEPTEMBER] },
  },
  ...each('bankone', 'movements', BANK_ONE_OPEN),
  ...each('bankone', 'transfers', BANK_ONE_TRANSFERS),
  { source: 'bankone', scope: 'transfers', name: 'received ones as sent ones', lie: exchangedDirections() },
  ...each('bankone', 'nominas', BANK_ONE_BATCHES),
  ...each('banktwo', 'movements', BANK_TWO),
  ...each('banktwo', 'movements', BANK_TWO_LISTS),
  { source: 'bankthree', scope: 'movements', name: 'every closed statement empty', lie: emptyFiles },
  {
    ...{ source: 'bankthree', scope: 'movements', name: 'the second half of a closed month' },
    ...{ lie: secondHalfFile(SEPTEMBER), before: [SEPTEMBER, OCTOBER, NOVEMBER], months: [SEPTEMBER] },
  },
  {
    ...{ source: 'bankthree', scope: 'movements', name: 'the second half of the only month that is stored' },
    ...{ lie: secondHalfFile(OCTOBER), before: [OCTOBER], months: [OCTOBER] },
  },
  ...each('bankthree', 'movements', BANK_THREE_OPEN),
];

const folders = await loadSources();

describe.each(['bankone', 'banktwo', 'bankthree'])('%s', (code) => {
  const folder = folders.find((one) => one.code === code) as SourceFolder;
  let world: SourceWorld;
  let story: Story;

  const sync = async (connection: Connection, periods: string[]): Promise<SyncRun> => {
    const run = await world.start(connection, { periods });
    await world.drain();
    return (await world.look(run)).run;
  };
  const rowsOf = async (connection: Connection, scope: ScopeDefinition): Promise<unknown> => {
    const rows = await (await readerOf(connection)).rows(scope, '');
    return rows.map(({ id: _, ...row }) => JSON.stringify(row)).sort();
  };

  beforeAll(async () => {
    world = await startSourceWorld([folder], { table: 'quick' });
    story = await startStory(folder, folder.credentials[0]!);
  }, STAGE_TIMEOUT_MS);
  afterAll(async () => {
    await story.close();
    await world.stop();
  });

  test.each(
    sampled(
      CASES.filter(({ source }) => source === code),
      8,
    ),
  )(
    '$scope: $name',
    { timeout: STAGE_TIMEOUT_MS },
    async ({ scope: name, lie, before = [OCTOBER, NOVEMBER], months = [OCTOBER, NOVEMBER], hours = 0 }) => {
      const scope = folder.scopes.find((one) => one.name === name)!;
      const connection = await world.connect(story);
      const right = async () => {
        const fresh = await world.connect(story);
        await sync(fresh, before);
        return rowsOf(fresh, scope);
      };
      expect((await sync(connection, before)).outcomes[name]).toMatchObject({ status: 'ok', notices: [] });
      expect(await rowsOf(connection, scope)).toEqual(await right());

      const lied = (await whileLying(lie, () => sync(connection, months))).outcomes[name]!;
      const isReported = lied.status !== 'ok' || lied.notices.length > 0;
      expect(isReported, JSON.stringify(lied)).toBe(true);

      await sync(connection, months);
      if (hours > 0) {
        world.advance(hours * HOUR_MS);
        await sync(connection, months);
      }
      expect(await rowsOf(connection, scope), JSON.stringify(lied)).toEqual(await right());
      const again = (await sync(connection, months)).outcomes[name];
      expect(again).toMatchObject({ status: 'ok', notices: [], recordsCreated: 0, recordsUpdated: 0 });
    },
  );
});

/**
 * Lists of every scope against a plain model: exact totals, order, pages without repeat or gap, periods, newest of
 * each. They use a table of maps, so that a thousand cases per scope take seconds; test/integration/data uses a real
 * table.
 */
import { describe, expect, test, vi } from 'vitest';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { readLatest } from '#shared/rows/read/read-latest.store.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import { bankoneBalances } from '#shared/scopes/bankone-balances.ts';
import { type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { counted } from '#test/fakes/memory-table.ts';
import { sampled } from '#test/helpers/effort.ts';
import { judgeCase, judgeRows } from '#test/helpers/list-cases.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope, randomAsk, syncRandomly, withoutContradictions } from '#test/helpers/synced-scope.ts';

vi.mock('#shared/table/table.ts', () => import('#test/fakes/memory-table.ts'));

const DATA_SETS = 10;
const CASES_PER_SET = 100;
const ROWS_MAX = 80;

const listed = SCOPES.filter(({ resource }) => resource !== null);

describe.each(listed.map((scope): [string, ScopeDefinition] => [scopeId(scope), scope]))('%s', (_, scope) => {
  const first = Math.floor(Math.random() * 2 ** 31);

  const seeds = Array.from({ length: DATA_SETS }, (_, n) => first + n);
  test.each(sampled(seeds, 5))('answers as the model (seed %i)', async (seed) => {
    const random = randomFrom(seed);
    const synced = await newSyncedScope(withoutContradictions(scope));
    await syncRandomly(synced, random, ROWS_MAX);
    await judgeRows(synced);
    for (let n = 0; n < CASES_PER_SET; n++) await judgeCase(synced, randomAsk(scope, random, ROWS_MAX), random);
  });
});

const EVERY = { period: null, facets: {}, days: { from: null, to: null } };

describe('what a page costs', () => {
  test('the newest of each account and currency: one read each, however long the history', async () => {
    const synced = await newSyncedScope(bankoneBalances);
    const accounts = ['1', '2', '3'];
    for (let month = 1; month <= 9; month++)
      await synced.sync(
        'now',
        accounts.flatMap((numero_cuenta) =>
          Array.from({ length: 28 }, (_, n) => ({
            numero_cuenta,
            currency: 'CLP',
            observed_at: `2026-0${month}-${String(n + 1).padStart(2, '0')}T15:00:00.000Z`,
            saldo_contable: '1',
            saldo_disponible: '1',
            saldo_provisorio: null,
          })),
        ),
      );
    const summary = await findSummary(synced.address);
    const before = counted.calls;
    const rows = await readLatest(synced.address, bankoneBalances, EVERY, summary);
    expect(rows.map((row) => row.observed_at)).toEqual(accounts.map(() => '2026-09-28T15:00:00.000Z'));
    expect(counted.calls - before).toBe(accounts.length);
  });

  test('a search: the index once and the page once, for any page', async () => {
    const random = randomFrom(1);
    const synced = await newSyncedScope(taxGuias);
    const make = ROW_MAKERS['tax.guias']!;
    await synced.sync(
      '2026-10',
      Array.from({ length: 400 }, (_, n) => make(random, '2026-10', n)),
    );
    const summary = await findSummary(synced.address);
    for (const offset of [0, 100]) {
      const before = counted.calls;
      await readPage(
        { address: synced.address, scope: taxGuias, filter: { ...EVERY, q: 'a' }, offset, limit: 50 },
        summary,
      );
      expect(counted.calls - before).toBe(2);
    }
  });
});

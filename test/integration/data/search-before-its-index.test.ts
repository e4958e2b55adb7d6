/** Periods that were written before their scope had search: their rows are read until the next sync stores an index. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

const rowsOf = (period: string) =>
  Array.from({ length: 30 }, (_, n) => ({
    ...ROW_MAKERS['tax.rcv']!(randomFrom(n), period, n),
    folio: `x${100 + n}y${period.slice(5)}`,
    document_type: n % 3 === 0 ? '61' : '33',
  }));

test('are found by text and by type, next to a period that has its index', async () => {
  const scope: ScopeDefinition = { ...(taxRcv as ScopeDefinition) };
  delete scope.search;
  const synced = await newSyncedScope(scope);
  const { address } = synced;
  await synced.sync('2026-09', rowsOf('2026-09'));
  Object.assign(scope, { search: taxRcv.search });
  await synced.sync('2026-10', rowsOf('2026-10'));
  const summary = await findSummary(address);
  expect([summary['2026-09']?.search, typeof summary['2026-10']?.search]).toEqual([undefined, 'object']);
  const found = async (q: string | undefined, document_type?: string) => {
    const filter = { period: null, q, facets: { document_type }, days: { from: null, to: null } };
    const { rows, total } = await readPage({ address, scope: taxRcv, filter, offset: 0, limit: 200 }, summary);
    expect(rows).toHaveLength(total);
    return rows.map(({ period, folio }) => `${period} ${folio}`);
  };
  expect((await found('x103y09')).sort()).toEqual(['2026-09 x103y09']);
  expect((await found('x103y')).sort()).toEqual(['2026-09 x103y09', '2026-10 x103y10']);
  expect(await found(undefined, '61')).toHaveLength(20);
  expect((await found('x103y', '61')).sort()).toEqual(['2026-09 x103y09', '2026-10 x103y10']);
  expect(await found('x104y', '61')).toEqual([]);
});

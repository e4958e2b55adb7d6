/**
 * The search index over a real table: it is rebuilt together with the page index, by every rebuild, and never seen
 * half-written.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSummary, markDirty } from '#shared/rows/index/page-index.store.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import { reindex } from '#shared/rows/write/write-period.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

const PERIOD = '2026-10';

const guide = (folio: number, changes: Row = {}): Row => ({
  ...ROW_MAKERS['tax.guias']!(randomFrom(folio), PERIOD, folio),
  folio: String(folio),
  direction: 'issued',
  issued_at: '2026-10-05',
  counterparty_name: 'PROVEEDOR ÑANDÚ SPA',
  counterparty_rut: '70000001-K',
  ...changes,
});

const find = async (
  { address }: SyncedScope,
  q: string,
  changes: Row = {},
  summary?: Awaited<ReturnType<typeof findSummary>>,
) => {
  const filter = { period: null, q, facets: changes, days: { from: null, to: null } };
  const { rows, total } = await readPage(
    { address, scope: taxGuias, filter, offset: 0, limit: 200 },
    summary ?? (await findSummary(address)),
  );
  expect(total).toBe(rows.length);
  return rows.map(({ folio }) => Number(folio)).sort();
};

const searchKeys = async ({ address }: SyncedScope): Promise<string[]> => {
  const pk = keys.index(address);
  return (await table.query(pk, { prefix: keys.searchPrefix(PERIOD), attributes: ['sk'] })).map(({ sk }) => sk);
};

describe('q', () => {
  test('follows new, changed and moved guides', async () => {
    const synced = await newSyncedScope(taxGuias);
    await synced.sync(PERIOD, [guide(1), guide(2, { counterparty_name: 'Andes' })]);
    expect(await find(synced, 'nandu')).toEqual([1]);
    // Nothing that orders the list changes: only searched fields do.
    const digest = async () => (await findSummary(synced.address))[PERIOD]!.search!.digest;
    const before = await digest();
    await synced.sync(PERIOD, [guide(1, { counterparty_name: 'Ñuñoa' }), guide(2, { counterparty_name: 'Andes' })]);
    expect(await digest()).not.toBe(before);
    expect([await find(synced, 'nandu'), await find(synced, 'NUNOA')]).toEqual([[], [1]]);
    await synced.sync('2026-11', [
      guide(1, { period: '2026-11', issued_at: '2026-11-02', counterparty_name: 'Ñuñoa' }),
    ]);
    expect(await find(synced, 'nunoa')).toEqual([1]);
    expect(await find(synced, '70000001')).toEqual([1, 2]);
    expect(await find(synced, '70000001', { direction: 'received' })).toEqual([]);
  });

  test('leaves nothing of the index before, and writes nothing when nothing changed', async () => {
    const synced = await newSyncedScope(taxGuias);
    await synced.sync(PERIOD, [guide(1)]);
    const [first] = await searchKeys(synced);
    await synced.sync(PERIOD, [guide(1)]);
    expect(await searchKeys(synced)).toEqual([first]);
    await synced.sync(PERIOD, [guide(1), guide(2)]);
    const now = await searchKeys(synced);
    expect(now).toHaveLength(1);
    expect(now).not.toContain(first);
  });

  test('a reader that is behind reads the summary again', async () => {
    const synced = await newSyncedScope(taxGuias);
    await synced.sync(PERIOD, [guide(1)]);
    const behind = await findSummary(synced.address);
    await synced.sync(PERIOD, [guide(1), guide(2)]);
    expect(await find(synced, 'nandu', {}, behind)).toEqual([1, 2]);
  });

  test('a half-written index is not looked in, and is gone after the next one', async () => {
    const synced = await newSyncedScope(taxGuias);
    const { address } = synced;
    await synced.sync(PERIOD, [guide(1)]);
    const [before] = await searchKeys(synced);
    const summary = await table.get(keys.summary(address));
    const part = await table.get({ pk: summary!.pk, sk: before! });
    // The state when a writer dies after the first part of a new index.
    const orphan = keys.searchPart(address, PERIOD, 'x'.repeat(22), 0);
    await table.put({ ...part!, ...orphan });
    expect(await find(synced, 'nandu')).toEqual([1]);
    await synced.sync(PERIOD, [guide(1), guide(2)]);
    expect(await searchKeys(synced)).toHaveLength(1);
    expect(await find(synced, 'nandu')).toEqual([1, 2]);
  });

  test('is rebuilt by a repair', async () => {
    const synced = await newSyncedScope(taxGuias);
    const { address, lease } = synced;
    await synced.sync(PERIOD, [guide(1)]);
    const old = [await table.get(keys.summary(address)), await table.get(keys.period(address, PERIOD))];
    const parts = await searchKeys(synced);
    const kept = await Promise.all(parts.map((sk) => table.get({ pk: old[0]!.pk, sk })));
    await synced.sync(PERIOD, [guide(1), guide(2)]);
    // The state when a worker dies before the index: new rows, previous index.
    await table.batchWrite({ puts: [...old, ...kept].map((item) => item!), removes: [] });
    await markDirty(address, PERIOD, lease);
    expect(await find(synced, 'nandu')).toEqual([1]);
    await reindex(address, taxGuias, PERIOD, lease);
    expect(await find(synced, 'nandu')).toEqual([1, 2]);
    expect(await searchKeys(synced)).toHaveLength(1);
  });

  test('finds in a period of several parts', async () => {
    const synced = await newSyncedScope(taxGuias);
    const name = (n: number) => `${String(n).padStart(4, '0')} ${'largo '.repeat(300)}`;
    await synced.sync(
      PERIOD,
      Array.from({ length: 260 }, (_, n) => guide(n + 1, { counterparty_name: name(n + 1) })),
    );
    expect((await findSummary(synced.address))[PERIOD]!.search!.parts).toBe(2);
    expect(await find(synced, '0001 largo')).toEqual([1]);
    expect(await find(synced, '0260 largo')).toEqual([260]);
  });
});

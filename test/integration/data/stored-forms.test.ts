/**
 * Index items as they were stored first: the summary without days, of every block the whole key. They are read, and the
 * next sync of their period writes them anew without writing a row.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '#shared/data/keys.ts';
import { findPeriods, findSummary, summaryKey } from '#shared/data/page-indexes.ts';
import { readPage } from '#shared/data/row-pages.ts';
import { readPeriod } from '#shared/data/rows.ts';
import * as table from '#shared/data/table.ts';
import type { IndexedRow } from '#shared/domain/page-index.ts';
import { rowSortKeyParts } from '#shared/domain/row-keys.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { countWrites } from '#test/bench/counted-writes.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { expectedRows } from '#test/helpers/read-model.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

const PERIODS = ['2026-09', '2026-10'];
const ROWS = 90;
const WHOLE_KEYS = 1;

let server: TestTable;
beforeAll(async () => {
  server = await startTable();
});
afterAll(() => server.stop());

/** The first form, one row a block: day, id, a byte for each facet combination. Newest first. */
const wholeKeys = (rows: readonly IndexedRow[], facets: readonly string[]): Buffer => {
  const head = Buffer.from([WHOLE_KEYS, 0, facets.length, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(rows.length, 4);
  const blocks = rows.map((row) => {
    const { day, rowId } = rowSortKeyParts(row.sortKey);
    const number = Buffer.alloc(4);
    number.writeUInt32BE(Number(day.replaceAll('-', '')));
    const counts = facets.map((name) => (name === row.facets ? 1 : 0));
    return Buffer.concat([number, Buffer.from(rowId.replaceAll('-', ''), 'hex'), Buffer.from(counts)]);
  });
  return Buffer.concat([head, ...blocks]);
};

const storeAsFirst = async ({ address, scope }: SyncedScope): Promise<void> => {
  const summary = await findSummary(address);
  const periods: Record<string, object> = {};
  for (const period of PERIODS) {
    const rows = (await readPeriod(address, scope, period)).sort((a, b) => (a.sortKey < b.sortKey ? 1 : -1));
    const facets = [...new Set(rows.map((row) => row.facets))].sort();
    const key = keys.period(address.organizationId, address.connectionId, address.scope, period);
    const { days: _, ...bare } = summary[period]!;
    periods[period] = bare;
    await table.put({ ...key, version: bare.version, facets, packed: wholeKeys(rows, facets) });
  }
  await table.put({ ...summaryKey(address), periods });
};

test('pages are whole before and after an index in its first form is written anew', async () => {
  const synced = await newSyncedScope(taxRcv);
  const { address, model, sync } = synced;
  const random = randomFrom(3);
  const months = PERIODS.map((period): [string, Row[]] => [
    period,
    Array.from({ length: ROWS }, (_, n) => ({ ...ROW_MAKERS['tax.rcv']!(random, period, n), folio: `${period}${n}` })),
  ]);
  for (const [period, rows] of months) await sync(period, rows);
  await storeAsFirst(synced);

  const judge = async (): Promise<void> => {
    for (const from of [null, '2026-09-16', '2026-10-16']) {
      const expected = expectedRows(model.values(), { from: from ?? undefined, fields: {} }).map(({ id }) => id);
      for (let offset = 0; offset <= expected.length; offset += 17) {
        const filter = { period: null, facets: {}, days: { from, to: null } };
        const page = await readPage(address, taxRcv, filter, offset, 20, await findSummary(address));
        expect(page.total).toBe(expected.length);
        expect(page.rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 20));
      }
    }
  };
  await judge();

  const [period, rows] = months[1]!;
  const before = (await findPeriods(address, [period])).get(period)!;
  const { writes } = await countWrites(() => sync(period, rows));
  expect(writes).toMatchObject({ listed: 0, full: 0 });
  const after = (await findPeriods(address, [period])).get(period)!;
  expect([after.version, after.packed![0]]).toEqual([before.version + 1, 2]);
  const summary = await findSummary(address);
  expect(PERIODS.map((one) => summary[one]!.days === null)).toEqual([true, false]);
  await judge();

  const again = await countWrites(() => sync(period, rows));
  expect(again.writes).toEqual({ listed: 0, full: 0, index: 0, other: 0 });
});

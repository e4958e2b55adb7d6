/** Reads lists and compares their answers with the model. */
import { expect } from 'vitest';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { readLatest } from '#shared/rows/read/read-latest.store.ts';
import { readPage, readPeriods } from '#shared/rows/read/read-page.store.ts';
import type { RowFilter } from '#shared/rows/read/row-page.ts';
import type { Random } from './random.ts';
import { expectedLatest, expectedRows } from './read-model.ts';
import type { Asked, SyncedScope } from './synced-scope.ts';

const filterOf = ({ period, from, to, q, fields }: Omit<Asked, 'offset' | 'limit'>): RowFilter => ({
  period: period ?? null,
  q,
  facets: fields,
  days: { from: from ?? null, to: to ?? null },
});

const ids = (rows: readonly { id?: unknown }[]) => rows.map(({ id }) => id);

const page = async ({ address, scope }: SyncedScope, asked: Asked) =>
  readPage(
    { address, scope, filter: filterOf(asked), offset: asked.offset, limit: asked.limit },
    await findSummary(address),
  );

/** Every page, one after the other. */
const walk = async (synced: SyncedScope, asked: Asked, limit: number): Promise<unknown[]> => {
  const seen: unknown[] = [];
  for (;;) {
    const { rows, total } = await page(synced, { ...asked, offset: seen.length, limit });
    seen.push(...ids(rows));
    if (rows.length === 0 || seen.length >= total) return seen;
  }
};

/** One query: total, page, sometimes all pages, and the newest row of each account if rows have accounts. */
export const judgeCase = async (synced: SyncedScope, asked: Asked, random: Random): Promise<void> => {
  const { address, scope, model } = synced;
  const expected = expectedRows(model.values(), asked);
  const { rows, total } = await page(synced, asked);
  expect(total).toBe(expected.length);
  expect(ids(rows)).toEqual(ids(expected.slice(asked.offset, asked.offset + asked.limit)));
  if (random.chance(0.05)) expect(await walk(synced, asked, random.int(1, 20))).toEqual(ids(expected));
  if (!scope.openFacets) return;
  const latest = await readLatest(address, scope, filterOf(asked), await findSummary(address));
  expect(ids(latest)).toEqual(ids(expectedLatest(model.values(), asked)));
};

/** Every row with every field, as its schema and its source define, and the existing periods. */
export const judgeRows = async (synced: SyncedScope): Promise<void> => {
  const { address, scope, model } = synced;
  const { rows } = await page(synced, { fields: {}, offset: 0, limit: 1_000 });
  expect(rows).toHaveLength(model.size);
  for (const row of rows) {
    expect(scope.listRow.parse(row)).toEqual(row);
    expect(Object.keys(row).sort()).toEqual(Object.keys(scope.listRow.shape).sort());
    const source = model.get(row.id as string)!.row;
    for (const field of Object.keys(scope.listRow.shape))
      if (field in source) expect(row[field]).toEqual(source[field]);
  }
  if (!scope.periodic) return;
  expect(readPeriods(await findSummary(address))).toEqual([...new Set(rows.map(({ period }) => period))]);
};

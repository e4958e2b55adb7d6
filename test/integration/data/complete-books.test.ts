/**
 * The sales book of the register: a reading whose documents equal the totals of the book deletes stored documents that it
 * does not show. Purchases move between months and states, so they stay.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPeriod } from '#shared/rows/index/row-partition.store.ts';
import { rowSortKey } from '#shared/rows/item/row-keys.ts';
import { findTotals } from '#shared/rows/read/read-totals.store.ts';
import { listKey } from '#shared/rows/write/row.store.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ToldTotal } from '#shared/values/source-totals.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';
import { shown } from './numbered-rows.ts';

const PERIOD = '2026-10';

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

const document = (folio: number, direction: string, change: Row = {}): Row => ({
  ...ROW_MAKERS['tax.rcv']!(randomFrom(folio), PERIOD, folio),
  ...{ direction, estado: 'registro', document_type: '33', folio: String(folio) },
  ...{ net_amount: String(folio * 100), vat_amount: '19', exempt_amount: '0', total_amount: String(folio * 119) },
  ...change,
});

const totalsOf = (rows: readonly Row[], more = 0): { totals: ToldTotal[]; whole: Record<string, string>[] } => ({
  totals: ['issued', 'received'].map((direction) => {
    const own = rows.filter((row) => row.direction === direction);
    const sum = (field: string) => String(own.reduce((all, row) => all + Number(row[field]), 0));
    const fields = ['net_amount', 'vat_amount', 'exempt_amount', 'total_amount'];
    const figures = {
      rows: String(own.length + more),
      ...Object.fromEntries(fields.map((field) => [field, sum(field)])),
    };
    return { group: { direction, estado: 'registro', document_type: '33' }, figures };
  }),
  whole: [{ direction: 'issued' }, { direction: 'received' }],
});

const right = [1, 2, 3].flatMap((n) => [document(n, 'issued'), document(n + 10, 'received')]);
/** What one odd answer left: other folios in both books. */
const odd = [4, 5].flatMap((n) => [document(n, 'issued'), document(n + 10, 'received')]);

const foliosOf = async (synced: Awaited<ReturnType<typeof newSyncedScope>>): Promise<string[]> =>
  (await shown(synced)).map((row) => (JSON.parse(row) as { folio: string }).folio).sort();

const stored = async () => {
  const synced = await newSyncedScope(taxRcv);
  await synced.sync(PERIOD, [...right, ...odd]);
  return synced;
};

test('a complete sales book deletes its other documents, with their details; purchases stay', async () => {
  const synced = await stored();
  const counts = await synced.write(PERIOD, right, { told: totalsOf(right) });
  expect(counts).toMatchObject({ found: 6, removed: 2 });
  expect(await foliosOf(synced)).toEqual(['1', '11', '12', '13', '14', '15', '2', '3']);
  const gone = [...synced.model.values()].flatMap(({ id, row }) => (row.folio === '4' ? [{ id }] : []));
  expect(gone).toHaveLength(1);
  for (const { id } of gone) expect(await table.get(keys.fullRow(synced.address, id))).toBeUndefined();
  const again = await synced.write(PERIOD, right, { told: totalsOf(right) });
  expect(again).toMatchObject({ created: 0, updated: 0 });
  expect(again.removed ?? 0).toBe(0);
});

test('a document with a second, late list row is deleted from both places', async () => {
  const synced = await stored();
  const [gone] = (await readPeriod(synced.address, taxRcv, PERIOD)).filter(
    ({ id }) => synced.model.get(id)?.row.folio === '4',
  );
  const place = listKey(synced.address, { period: PERIOD, ...gone! });
  const late = { ...place, sk: rowSortKey(`${PERIOD}-31`, null, gone!.id) };
  await table.batchWrite({ puts: [{ ...(await table.get(place))!, ...late }] });
  await synced.write(PERIOD, right, { told: totalsOf(right) });
  for (const key of [place, late, keys.fullRow(synced.address, gone!.id)]) expect(await table.get(key)).toBeUndefined();
  expect(await foliosOf(synced)).toHaveLength(8);
});

test.each([
  ['reports one document more than it shows', totalsOf(right, 1)],
  ['reports other sums', totalsOf([document(1, 'issued', { total_amount: '1' }), ...right.slice(1)])],
  ['does not report all of its groups', { ...totalsOf(right), whole: [{ direction: 'received' }] }],
])('a sales book that %s deletes nothing', async (_name, told) => {
  const synced = await stored();
  expect((await synced.write(PERIOD, right, { told })).removed ?? 0).toBe(0);
  expect(await foliosOf(synced)).toHaveLength(10);
});

test('an empty sales book deletes nothing', async () => {
  const synced = await stored();
  const purchases = right.filter(({ direction }) => direction === 'received');
  expect((await synced.write(PERIOD, purchases, { told: totalsOf(purchases) })).removed ?? 0).toBe(0);
});

test('a purchase that leaves a month is taken from its totals as the month counted it, also with a late document', async () => {
  const synced = await newSyncedScope(taxRcv);
  const [moving, staying] = [document(11, 'received'), document(12, 'received')];
  await synced.write(PERIOD, [moving, staying], { told: totalsOf([moving, staying]) });
  const { id } = [...synced.model.values()].find(({ row }) => row.folio === '11')!;
  // A superseded worker puts its document late: its amounts are not those of the list row.
  const key = keys.fullRow(synced.address, id);
  const late = { ...JSON.parse((await table.get(key))!.row as string), vat_amount: '190' };
  await table.update(key, { set: { row: JSON.stringify(late) } });
  await synced.write(PERIOD, [staying], { told: totalsOf([staying]) });
  expect((await findTotals(synced.address, PERIOD)).totals?.verdict).toBe('differs');
  await synced.write('2026-11', [moving], { told: totalsOf([moving]), compared: new Set([PERIOD]) });
  expect((await findTotals(synced.address, PERIOD)).totals).toMatchObject({ verdict: 'equal' });
});

/** Totals of stored rows: what is written of them and when, and what they are compared with. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPeriods, findSummary, markDirty, periodItem } from '#shared/rows/index/page-index.store.ts';
import { packTotals } from '#shared/rows/index/totals-codec.ts';
import { differencesIn } from '#shared/rows/item/totals.rules.ts';
import { findTotals } from '#shared/rows/read/read-totals.store.ts';
import { reindex } from '#shared/rows/write/write-period.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ToldTotals } from '#shared/values/source-totals.ts';
import { type CountedWrites, countWrites } from '#test/bench/counted-writes.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';
import { honestTotals } from '#test/helpers/tie-out.ts';

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

const PERIOD = '2026-10';
const NOTHING: CountedWrites = { listed: 0, full: 0, index: 0, other: 0 };
const RCV_TYPE = { direction: 'received', estado: 'registro', document_type: '33' };

const make = (scope: ScopeDefinition, count: number, change: Row = {}): Row[] => {
  const random = randomFrom(11);
  const of = ROW_MAKERS[`${scope.source}.${scope.name}`]!;
  return Array.from({ length: count }, (_, n) => ({ ...of(random, PERIOD, n), ...change }));
};
const documents = (count: number): Row[] => make(taxRcv, count, RCV_TYPE);
const BOOK = { direction: 'received', estado: 'registro' };
const told = (rows: readonly Row[], scope: ScopeDefinition = taxRcv): ToldTotals => ({
  totals: honestTotals(scope, rows),
  whole: [BOOK],
});

const stored = async ({ address }: SyncedScope) => {
  const { summary, totals } = await findTotals(address, PERIOD);
  return { tieOut: summary[PERIOD]?.tieOut, totals };
};

describe('what is written', () => {
  test('totals come with the index, and the same again writes nothing', async () => {
    const synced = await newSyncedScope(taxRcv);
    const rows = documents(5);
    const first = await countWrites(() => synced.write(PERIOD, rows, { told: told(rows) }));
    expect(first.result.totals).toMatchObject({ verdict: 'equal' });
    // Dirty mark, then the search index, then the period with its summary.
    expect(first.writes.index).toBe(4);
    expect(await stored(synced)).toMatchObject({ tieOut: { verdict: 'equal' }, totals: first.result.totals });
    const again = await countWrites(() => synced.write(PERIOD, rows, { told: told(rows) }));
    expect(again.writes).toEqual(NOTHING);
  });

  test('other totals of the same rows are written without rows', async () => {
    const synced = await newSyncedScope(taxRcv);
    const rows = documents(5);
    await synced.write(PERIOD, rows, { told: told(rows) });
    const { version } = (await findSummary(synced.address))[PERIOD]!;
    const later = await countWrites(() => synced.write(PERIOD, rows, { told: told(rows.slice(1)) }));
    expect(later.writes).toEqual({ ...NOTHING, index: 2 });
    const { tieOut, totals } = await stored(synced);
    expect(tieOut).toMatchObject({
      verdict: 'differs',
      differences: [{ figure: 'rows', institution: '4', ours: '5' }, {}, {}, {}],
    });
    expect(totals).toEqual(later.result.totals);
    expect((await findSummary(synced.address))[PERIOD]!.version).toBe(version);
    await synced.write(PERIOD, rows, { told: told(rows) });
    expect((await stored(synced)).tieOut).toEqual({ verdict: 'equal' });
  });

  test('a reader that meets the figures of two readings does not take them for one', async () => {
    const synced = await newSyncedScope(taxRcv);
    const rows = documents(5);
    const first = await synced.write(PERIOD, rows, { told: told(rows.slice(1)) });
    await synced.write(PERIOD, rows, { told: told(rows.slice(2)) });
    // Like a read that began before the later totals were stored: the items of one batch may be from different moments.
    const between = { set: periodItem.toChanges({ totals: packTotals(first.totals!) }) };
    await table.update(keys.period(synced.address, PERIOD), between);
    await expect(stored(synced)).rejects.toMatchObject({ name: 'TotalsConflict' });
  });

  test('a reading without totals leaves them while no row changes, and takes them away with a change', async () => {
    const synced = await newSyncedScope(taxRcv);
    const rows = documents(5);
    await synced.write(PERIOD, rows, { told: told(rows) });
    expect((await countWrites(() => synced.write(PERIOD, rows, {}))).writes).toEqual(NOTHING);
    expect((await stored(synced)).tieOut).toEqual({ verdict: 'equal' });
    await synced.write(PERIOD, [{ ...rows[0]!, total_amount: '1' }, ...rows.slice(1)], {});
    expect(await stored(synced)).toEqual({ tieOut: undefined, totals: null });
  });

  test('a repair of the index takes them away', async () => {
    const synced = await newSyncedScope(taxRcv);
    const rows = documents(5);
    await synced.write(PERIOD, rows, { told: told(rows) });
    await markDirty(synced.address, PERIOD, synced.lease);
    await reindex(synced.address, taxRcv, PERIOD, synced.lease);
    expect(await stored(synced)).toEqual({ tieOut: undefined, totals: null });
    await synced.write(PERIOD, rows, { told: told(rows) });
    expect((await stored(synced)).tieOut).toEqual({ verdict: 'equal' });
  });

  test('of an empty month nothing is stored unless it differs', async () => {
    const synced = await newSyncedScope(taxRcv);
    const equal = await countWrites(() => synced.write(PERIOD, [], { told: told([]) }));
    expect(equal.writes).toEqual(NOTHING);
    expect(equal.result.totals).toMatchObject({ verdict: 'equal' });
    await synced.write(PERIOD, [], { told: told(documents(3)) });
    expect((await stored(synced)).tieOut).toMatchObject({ verdict: 'differs' });
    expect((await findPeriods(synced.address, [PERIOD])).get(PERIOD)?.index?.blocks).toEqual([]);
  });
});

describe('rows as stored', () => {
  test('a row that the source no longer shows is among them, and named', async () => {
    const synced = await newSyncedScope(taxRcv);
    const rows = documents(5);
    await synced.write(PERIOD, rows, { told: told(rows) });
    const shown = rows.slice(1);
    const { totals } = await synced.write(PERIOD, shown, { told: told(shown) });
    expect(totals!.verdict).toBe('differs');
    expect(differencesIn(totals!)[0]).toMatchObject({ figure: 'rows', institution: '4', ours: '5' });
    const [gone] = [...synced.model.values()].filter(({ row }) => row.folio === rows[0]!.folio);
    expect(totals!.groups[0]!.notShown).toEqual({ rows: 1, ids: [gone!.id] });
    expect((await stored(synced)).totals).toEqual(totals);
  });

  test('also of a type that the source no longer names', async () => {
    const synced = await newSyncedScope(taxRcv);
    const rows = [...documents(2), ...make(taxRcv, 1, { ...RCV_TYPE, document_type: '61', folio: '900' })];
    await synced.write(PERIOD, rows, { told: told(rows) });
    const shown = rows.slice(0, 2);
    const { totals } = await synced.write(PERIOD, shown, { told: told(shown) });
    expect(totals!.groups[0]).toMatchObject({
      group: { document_type: '61' },
      verdict: 'differs',
      notShown: { rows: 1 },
    });
  });

  test('rows in full are read where the list does not show what is counted', async () => {
    const guides = make(taxGuias, 4, { direction: 'issued', document_type: '52' });
    const synced = await newSyncedScope(taxGuias);
    const of = (rows: readonly Row[]) => ({ totals: honestTotals(taxGuias, rows), whole: [{ direction: 'issued' }] });
    expect((await synced.write(PERIOD, guides, { told: of(guides) })).totals).toMatchObject({ verdict: 'equal' });
    // The source stopped showing one row, but still counts it.
    const { totals } = await synced.write(PERIOD, guides.slice(1), { told: of(guides) });
    expect(totals).toMatchObject({ verdict: 'equal', groups: [{ notShown: { rows: 1 } }] });
  });

  test('an amount that the answer does not carry is the stored one', async () => {
    const guides = make(taxGuias, 4, { direction: 'issued', document_type: '52' });
    const synced = await newSyncedScope(taxGuias);
    const of = { totals: honestTotals(taxGuias, guides), whole: [] };
    await synced.write(PERIOD, guides, { told: of });
    const bare = guides.map(({ net_amount: _, ...row }) => row);
    expect((await synced.write(PERIOD, bare, { told: of })).totals).toMatchObject({ verdict: 'equal' });
  });

  test('rows that move here from another month count here, and the month they left has no report', async () => {
    const synced = await newSyncedScope(taxRcv);
    const rows = documents(3);
    const before = rows.map((row) => ({ ...row, period: '2026-09' }));
    await synced.write('2026-09', before, { told: told(before) });
    const { totals } = await synced.write(PERIOD, rows, { told: told(rows) });
    expect(totals).toMatchObject({ verdict: 'equal' });
    expect((await findTotals(synced.address, '2026-09')).totals).toBeNull();
  });

  test('of more than a thousand rows that are no longer shown, only rows are compared', async () => {
    const synced = await newSyncedScope(taxRcv);
    const rows = documents(1_010);
    await synced.write(PERIOD, rows, { told: told(rows) });
    const shown = rows.slice(0, 5);
    const { totals } = await synced.write(PERIOD, shown, { told: told(shown) });
    expect(differencesIn(totals!)).toEqual([{ group: {}, figure: 'rows', institution: '5', ours: '1010' }]);
  });

  test('a closed statement is compared only with the rows of its account', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    const movement = (numero_cuenta: string, documento: string, amount: string): Row => ({
      ...make(bankoneMovements, 1)[0],
      ...{ period: PERIOD, numero_cuenta, documento, amount, ordinal: 0, provisional: false },
      ...{ fecha_movimiento: `${PERIOD}-05`, direction: amount.startsWith('-') ? 'issued' : 'received' },
    });
    const other = [movement('00-9', '1', '5')];
    await synced.write(PERIOD, other, {});
    const rows = [movement('00-7', '1', '100'), movement('00-7', '2', '-40')];
    const statement = { group: { numero_cuenta: '7' }, figures: { opening: '10', closing: '70' } };
    const options = { closed: ['00-7'], told: { totals: [statement], whole: [] } };
    expect((await synced.write(PERIOD, rows, options)).totals).toMatchObject({ verdict: 'equal', groups: [{}] });
    const wrong = { ...statement, figures: { opening: '10', closing: '71' } };
    const { totals } = await synced.write(PERIOD, rows, { ...options, told: { totals: [wrong], whole: [] } });
    expect(differencesIn(totals!)).toMatchObject([{ figure: 'closing', institution: '71', ours: '70' }]);
  });
});

test('a lost worker leaves rows without totals, and the next one stores them', async () => {
  const owner = { organizationId: randomUUID(), connectionId: randomUUID() };
  const synced = await newSyncedScope(taxRcv, owner);
  const rows = documents(3);
  await synced.write(PERIOD, rows, { told: told(rows) });
  await markDirty(synced.address, PERIOD, synced.lease);
  const { totals } = await synced.write(PERIOD, rows, { told: told(rows) });
  expect(totals).toMatchObject({ verdict: 'equal' });
  expect((await stored(synced)).tieOut).toEqual({ verdict: 'equal' });
});

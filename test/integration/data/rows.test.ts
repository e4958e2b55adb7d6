/**
 * Writing and reading rows against a real table: after each sync of any rows, lists, totals, documents
 * and index equal those of a plain model.
 */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildFittingIndex } from '#shared/rows/index/page-index.rules.ts';
import { dirtyPeriods, findPeriods, findSummary, markDirty } from '#shared/rows/index/page-index.store.ts';
import { newRow } from '#shared/rows/item/row-items.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { readDocument, readPage, readPeriods } from '#shared/rows/read/read-page.store.ts';
import type { RowFilter } from '#shared/rows/read/row-page.ts';
import { readPeriod, reindex, writePeriod } from '#shared/rows/write/write-period.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { DIRECTIONS, ESTADOS, type RcvRow, taxRcv } from '#shared/scopes/tax-rcv.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import { keys } from '#shared/table/keys.ts';
import { type Lease, LeaseLost } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { runs } from '#test/helpers/effort.ts';
import { type Happened, happened, withoutContradictions } from '#test/helpers/synced-scope.ts';

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

const document = (folio: number, changes: Partial<RcvRow> = {}): RcvRow => ({
  period: '2026-10',
  direction: 'received',
  document_type: '33',
  folio: String(folio),
  issuer_rut: '70000001-K',
  issuer_name: 'PROVEEDOR ÑANDÚ SPA',
  receiver_rut: '70000002-8',
  receiver_name: null,
  issued_at: '2026-10-05',
  received_at: '2026-10-06T13:12:44.000Z',
  net_amount: '84034',
  exempt_amount: '0',
  vat_amount: '15966',
  total_amount: '100000',
  currency: 'CLP',
  status: null,
  estado: 'registro',
  referenced_document_type: null,
  referenced_folio: null,
  source_document_id: '1',
  acknowledged_at: null,
  claimed_at: null,
  transaction_type: 'Del Giro',
  ...changes,
});

interface World {
  address: ScopeAddress;
  lease: Lease;
  sync(period: string, rows: RcvRow[], runId?: string): Promise<Happened>;
  page(filter?: Partial<RowFilter>, offset?: number, limit?: number): ReturnType<typeof readPage>;
}

const ANY_FILTER = { period: null, facets: {}, days: { from: null, to: null } };

const newWorld = async (scope: ScopeDefinition = taxRcv): Promise<World> => {
  const address = { organizationId: randomUUID(), connectionId: randomUUID(), scope: 'rcv' };
  const { lease } = await takeForRepair(address);
  return {
    address,
    lease,
    sync: (period, rows, runId = randomUUID()) =>
      writePeriod(
        { address, scope, runId, lease, period },
        rows.map((row) =>
          newRow(address.connectionId, taxRcv, { row, raw: { detNroDoc: row.folio }, answerId: randomUUID() }),
        ),
      ).then(happened),
    page: async (filter = {}, offset = 0, limit = 50) =>
      readPage(
        { address, scope: taxRcv, filter: { ...ANY_FILTER, ...filter }, offset, limit },
        await findSummary(address),
      ),
  };
};

describe('writing a period', () => {
  test('counts created and updated rows, and the same again writes no row', async () => {
    const { sync, page, address } = await newWorld();
    const rows = [1, 2, 3].map((folio) => document(folio));
    expect(await sync('2026-10', rows)).toEqual({ found: 3, created: 3, updated: 0 });
    const before = await findPeriods(address, ['2026-10']);
    expect(await sync('2026-10', rows)).toEqual({ found: 3, created: 0, updated: 0 });
    expect((await findPeriods(address, ['2026-10'])).get('2026-10')?.version).toBe(before.get('2026-10')?.version);
    const changed = [document(1, { status: 'Acuse' }), ...rows.slice(1)];
    expect(await sync('2026-10', changed)).toEqual({ found: 3, created: 0, updated: 1 });
    expect((await page()).total).toBe(3);
  });

  test('a row that the source stops showing stays', async () => {
    const { sync, page } = await newWorld();
    await sync('2026-10', [document(1), document(2)]);
    expect(await sync('2026-10', [document(2)])).toEqual({ found: 1, created: 0, updated: 0 });
    expect((await page()).total).toBe(2);
    expect(await sync('2026-10', [])).toEqual({ found: 0, created: 0, updated: 0, kept: 2 });
    expect((await page()).total).toBe(2);
  });

  test('a document that moves to another state, day or month is stored once', async () => {
    const { sync, page, address } = await newWorld();
    await sync('2026-10', [document(1, { estado: 'pendiente' }), document(2)]);
    expect(await sync('2026-10', [document(1, { estado: 'registro', issued_at: '2026-10-07' }), document(2)])).toEqual({
      found: 2,
      created: 0,
      updated: 1,
      corrected: 1,
    });
    expect((await page({ facets: { estado: 'pendiente' } })).total).toBe(0);
    expect((await page({ facets: { estado: 'registro' } })).rows.map((row) => row.folio)).toEqual(['1', '2']);

    expect(await sync('2026-11', [document(1, { period: '2026-11' })])).toEqual({ found: 1, created: 0, updated: 1 });
    expect((await page({ period: '2026-10' })).rows.map((row) => row.folio)).toEqual(['2']);
    expect((await page({ period: '2026-11' })).rows.map((row) => row.folio)).toEqual(['1']);
    expect((await page()).total).toBe(2);
    expect(await dirtyPeriods(address)).toEqual([]);
    expect(readPeriods(await findSummary(address))).toEqual(['2026-11', '2026-10']);
  });

  test('a field that an answer does not carry keeps what is stored', async () => {
    const { sync, address, page } = await newWorld();
    await sync('2026-10', [document(1, { referenced_folio: '77', source_document_id: '910' })]);
    const { referenced_folio: _r, source_document_id: _s, ...bare } = document(1, { status: 'Acuse' });
    await sync('2026-10', [bare as RcvRow]);
    const [row] = (await page()).rows;
    const full = await readDocument(address, taxRcv, row!.id as string);
    expect(full).toMatchObject({ referenced_folio: '77', source_document_id: '910', status: 'Acuse' });
    expect(row).toMatchObject({ referenced_folio: '77' });
    expect(await sync('2026-10', [bare as RcvRow])).toEqual({ found: 1, created: 0, updated: 0 });
  });

  test('a worker that died after the documents and before the list is made good, and counted once', async () => {
    const { sync, page, address } = await newWorld();
    const runId = randomUUID();
    const rows = [1, 2, 3].map((folio) => document(folio));
    await sync('2026-10', rows, runId);
    // The state of the table when the worker dies between the two writes of a chunk.
    const pk = keys.rows(address, '2026-10', 'received.registro');
    const listed = await table.query(pk);
    await table.batchWrite({ removes: listed.slice(0, 2) });
    expect(await sync('2026-10', rows, runId)).toEqual({ found: 3, created: 3, updated: 0 });
    expect((await page()).rows).toHaveLength(3);
  });

  test('a month that a worker began to write is half written until a reading writes it to its end', async () => {
    const { sync, address, lease } = await newWorld();
    await sync('2026-10', [document(1)]);
    await markDirty(address, '2026-10', lease, { isReading: true });
    const isHalfWritten = async () => (await findSummary(address))['2026-10']?.isHalfWritten;
    for (let n = 0; n < 2; n++) {
      await reindex(address, taxRcv, '2026-10', lease);
      expect(await isHalfWritten()).toBe(true);
    }
    await sync('2026-10', [document(1)]);
    expect(await isHalfWritten()).toBeUndefined();
    expect((await findPeriods(address, ['2026-10'])).get('2026-10')).toMatchObject({ isHalfWritten: false });
  });

  test('nothing is indexed under a lease that was lost', async () => {
    const { address, lease } = await newWorld();
    await table.update(keys.lease(address.organizationId, address.connectionId, 'rcv'), {
      set: { holder: 'another' },
      add: { fence: 1 },
    });
    await expect(markDirty(address, '2026-10', lease)).rejects.toBeInstanceOf(LeaseLost);
    await expect(reindex(address, taxRcv, '2026-10', lease)).resolves.toBeUndefined();
    expect(await findSummary(address)).toEqual({});
  });

  test('a document in full has every promised field, with the raw row', async () => {
    const { sync, page, address } = await newWorld();
    const runId = randomUUID();
    await sync('2026-10', [document(1)], runId);
    const [row] = (await page()).rows;
    expect(Object.keys(row!).sort()).toEqual(Object.keys(taxRcv.listRow.shape).sort());
    const full = await readDocument(address, taxRcv, row!.id as string);
    expect(taxRcv.fullRow.parse(full)).toEqual(full);
    expect(full).toMatchObject({
      connection_id: address.connectionId,
      sync_run_id: runId,
      raw_row: { detNroDoc: '1' },
    });
    expect(await readDocument(address, taxRcv, randomUUID())).toBeUndefined();
  });
});

const PERIODS = ['2026-09', '2026-10', '2026-11'];
const anyDocument = fc.record({
  folio: fc.integer({ min: 1, max: 60 }),
  estado: fc.constantFrom(...ESTADOS),
  direction: fc.constantFrom(...DIRECTIONS),
  issued_at: fc.option(fc.integer({ min: 1, max: 28 }).map((day) => `2026-10-${String(day).padStart(2, '0')}`)),
  total_amount: fc.nat(999).map(String),
});

describe('any history of syncs', () => {
  test('lists, totals and index equal the model', async () => {
    const syncs = fc.array(
      fc.record({
        period: fc.constantFrom(...PERIODS),
        rows: fc.uniqueArray(anyDocument, { selector: (row) => `${row.direction}${row.folio}`, maxLength: 25 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const filters = fc.array(
      fc.record({
        period: fc.option(fc.constantFrom(...PERIODS), { freq: 1 }),
        direction: fc.option(fc.constantFrom(...DIRECTIONS), { nil: undefined }),
        estado: fc.option(fc.constantFrom(...ESTADOS), { nil: undefined }),
        from: fc.option(fc.constantFrom('2026-10-01', '2026-10-10', '2026-10-20'), { freq: 1 }),
        to: fc.option(fc.constantFrom('2026-10-05', '2026-10-15', '2026-10-28'), { freq: 1 }),
        offset: fc.nat(30),
        limit: fc.integer({ min: 1, max: 50 }),
      }),
      { minLength: 5, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(syncs, filters, async (history, asked) => {
        // Random amounts would be held back as changed facts.
        const world = await newWorld(withoutContradictions(taxRcv));
        const model = new Map<string, RcvRow>();
        for (const { period, rows } of history) {
          const shown = rows.map((row) => document(row.folio, { ...row, folio: String(row.folio), period }));
          await world.sync(period, shown);
          for (const row of shown) model.set(`${row.direction}${row.folio}`, row);
        }
        for (const { period, direction, estado, from, to, offset, limit } of asked) {
          const { rows, total } = await world.page(
            { period, facets: { direction, estado }, days: { from, to } },
            offset,
            limit,
          );
          const expected = [...model.values()].filter(
            (row) =>
              (period === null || row.period === period) &&
              (direction === undefined || row.direction === direction) &&
              (estado === undefined || row.estado === estado) &&
              (from === null || (row.issued_at !== null && row.issued_at >= from)) &&
              (to === null || (row.issued_at !== null && row.issued_at <= to)),
          );
          expect(total).toBe(expected.length);
          expect(rows).toHaveLength(Math.max(0, Math.min(limit, total - offset)));
          // A blank sorts before every digit, so a row without a day is the last of its period.
          const place = (row: Record<string, unknown>) => [row.period, row.issued_at ?? '', row.id].join(' ');
          expect(rows.map(place)).toEqual([...rows.map(place)].sort().reverse());
          for (const row of rows) {
            const { source_document_id: _, ...same } = model.get(`${row.direction}${row.folio}`)!;
            expect(row).toMatchObject(same);
          }
        }
        for (const period of PERIODS) {
          const stored = (await findPeriods(world.address, [period])).get(period);
          if (!stored) continue;
          const rows = await readPeriod(world.address, taxRcv, period);
          const { packed: fresh } = buildFittingIndex(rows, ROW_LIMITS.indexStrideRows, ROW_LIMITS.indexBytesMax);
          expect(Buffer.from(stored.packed!).equals(Buffer.from(fresh))).toBe(true);
        }
      }),
      { numRuns: runs(15) },
    );
  }, 60_000);
});

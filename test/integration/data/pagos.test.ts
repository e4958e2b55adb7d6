/** Payments of a batch: packed next to it, paged by line, and replaced by each complete reading. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChildPage, childRowsInOrder, readChildPage } from '#shared/rows/item/child-rows.store.ts';
import { rowId } from '#shared/rows/item/row-items.ts';
import { bankoneNominas, type PagoRow } from '#shared/scopes/bankone-nominas.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

const PERIOD = '2026-10';

const pago = (linea: number, changes: Partial<PagoRow> = {}): PagoRow => ({
  linea,
  rut: '11222333-9',
  nombre: 'LUIS MUÑOZ',
  tipo_cuenta: 'CC',
  numero_cuenta: '00045120098',
  banco: 'BANCO TRES',
  monto: '900000',
  currency: 'CLP',
  estado: 'PENDIENTE',
  mail: null,
  glosa: 'Sueldo',
  motivo_rechazo: null,
  ...changes,
});
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => pago(from + n));

const nomina = (pagos: PagoRow[] | undefined, changes: Row = {}): Row => ({
  period: PERIOD,
  numero_nomina: '300455',
  nomina_date: '2026-10-28',
  tipo: 'REMUNERACIONES',
  cuenta_cargo: '001230045607',
  estado: 'POR_AUTORIZAR',
  num_registros: 3,
  monto: '2450000',
  currency: 'CLP',
  ...(pagos ? { pagos } : {}),
  ...changes,
});

const page = ({ address }: SyncedScope, offset = 0, limit = 200) =>
  readChildPage(address, rowId(address.connectionId, bankoneNominas, nomina([])), offset, limit);
const linesOf = (rows: Row[] | undefined) => rows?.map(({ linea }) => linea);

describe('payments of a batch', () => {
  test('are paged by line at any offset, with exact total and every field', async () => {
    const synced = await newSyncedScope(bankoneNominas);
    await synced.sync(PERIOD, [nomina(lines(1, 250).reverse())]);
    expect(linesOf((await page(synced, 95, 10))?.rows)).toEqual([96, 97, 98, 99, 100, 101, 102, 103, 104, 105]);
    const last = await page(synced, 248, 50);
    expect([linesOf(last?.rows), last?.total]).toEqual([[249, 250], 250]);
    expect(await page(synced, 250, 50)).toEqual({ rows: [], total: 250 });
    for (const row of last!.rows) {
      expect(bankoneNominas.childRows.listRow.parse(row)).toEqual(row);
      expect(Object.keys(row).sort()).toEqual(Object.keys(bankoneNominas.childRows.listRow.shape).sort());
    }
  });

  test('change with the batch, keep their ids, and go when no longer shown', async () => {
    const synced = await newSyncedScope(bankoneNominas);
    expect(await synced.sync(PERIOD, [nomina(lines(1, 3))])).toEqual({ found: 1, created: 1, updated: 0 });
    const before = (await page(synced))!.rows;
    const rejected = [pago(1), pago(2, { estado: 'RECHAZADO', motivo_rechazo: 'CUENTA INEXISTENTE' })];
    expect(await synced.sync(PERIOD, [nomina(rejected)])).toEqual({
      found: 1,
      created: 0,
      updated: 1,
      removedChildRows: 1,
    });
    const after = (await page(synced))!.rows;
    expect(after.map(({ id }) => id)).toEqual(before.slice(0, 2).map(({ id }) => id));
    expect(after.map(({ estado }) => estado)).toEqual(['PENDIENTE', 'RECHAZADO']);
    expect(await synced.sync(PERIOD, [nomina(rejected)])).toEqual({ found: 1, created: 0, updated: 0 });
  });

  test('doubled by a wrong answer are gone with the next right reading, as in a fresh connection', async () => {
    const [synced, fresh] = [await newSyncedScope(bankoneNominas), await newSyncedScope(bankoneNominas)];
    const right = lines(1, 150);
    const twins = right.map(({ linea, ...rest }) => ({ ...rest, linea: linea + 1_000 }));
    await synced.sync(PERIOD, [nomina([...right, ...twins])]);
    expect((await page(synced))?.total).toBe(300);
    expect(await synced.sync(PERIOD, [nomina(right)])).toMatchObject({ updated: 1, removedChildRows: 150 });
    await fresh.sync(PERIOD, [nomina(right)]);
    const shown = ({ rows, total }: ChildPage) => [total, rows.map(({ id: _, ...row }) => row)];
    expect(shown((await page(synced))!)).toEqual(shown((await page(fresh))!));
  });

  test('keep what is stored where an answer does not carry a field', async () => {
    const synced = await newSyncedScope(bankoneNominas);
    await synced.sync(PERIOD, [nomina(lines(1, 2))]);
    const { nombre: _, banco: __, ...bare } = pago(1);
    await synced.sync(PERIOD, [nomina([{ ...bare, estado: 'PAGADO' }, pago(2, { mail: 'a@b.cl' })])]);
    expect((await page(synced))!.rows).toMatchObject([
      { linea: 1, nombre: 'LUIS MUÑOZ', banco: 'BANCO TRES', estado: 'PAGADO' },
      { linea: 2, mail: 'a@b.cl' },
    ]);
  });

  test('keep their texts where an answer damages them, and take what changes beside them', async () => {
    const synced = await newSyncedScope(bankoneNominas);
    await synced.sync(PERIOD, [nomina(lines(1, 150))]);
    const damaged = lines(1, 150).map((row) => ({ ...row, nombre: 'LUIS MU\uFFFDOZ' }));
    expect(await synced.sync(PERIOD, [nomina(damaged)])).toMatchObject({ created: 0, updated: 0 });
    const paid = damaged.map((row) => ({ ...row, estado: 'PAGADO' }));
    expect(await synced.sync(PERIOD, [nomina(paid)])).toMatchObject({ created: 0, updated: 1 });
    const rows = (await page(synced))!.rows;
    expect(new Set(rows.map(({ nombre, estado }) => `${nombre} ${estado}`))).toEqual(new Set(['LUIS MUÑOZ PAGADO']));
    const right = lines(1, 150).map((row) => ({ ...row, estado: 'PAGADO' }));
    expect(await synced.sync(PERIOD, [nomina(right)])).toMatchObject({ created: 0, updated: 0 });
    const moved = { nomina_date: '2026-11-02', period: '2026-11' };
    await synced.sync('2026-11', [nomina(paid, moved)]);
    expect((await page(synced))!.rows.every(({ nombre }) => nombre === 'LUIS MUÑOZ')).toBe(true);
  });

  test('go with a batch that moves to another month, and stay when an answer does not carry them', async () => {
    const synced = await newSyncedScope(bankoneNominas);
    await synced.sync(PERIOD, [nomina(lines(1, 120))]);
    await synced.sync('2026-11', [nomina(undefined, { period: '2026-11', nomina_date: '2026-11-03' })]);
    expect((await page(synced))?.total).toBe(120);
    await synced.sync('2026-12', [nomina(lines(1, 121), { period: '2026-12', nomina_date: '2026-12-03' })]);
    expect((await page(synced))?.total).toBe(121);
  });

  test('of an unknown batch do not exist; a batch may have no payments', async () => {
    const synced = await newSyncedScope(bankoneNominas);
    expect(await page(synced)).toBeUndefined();
    await synced.sync(PERIOD, [nomina(undefined)]);
    expect(await page(synced)).toEqual({ rows: [], total: 0 });
  });

  test('20,000 of one batch', async () => {
    const synced = await newSyncedScope(bankoneNominas);
    await synced.sync(PERIOD, [nomina(lines(1, 20_000))]);
    expect(linesOf((await page(synced, 19_990, 5))?.rows)).toEqual([19_991, 19_992, 19_993, 19_994, 19_995]);
    const owner = randomUUID();
    expect(childRowsInOrder(bankoneNominas.childRows, owner, lines(1, 2)).map(({ id }) => id)).toEqual(
      childRowsInOrder(bankoneNominas.childRows, owner, lines(1, 3))
        .map(({ id }) => id)
        .slice(0, 2),
    );
  });
});

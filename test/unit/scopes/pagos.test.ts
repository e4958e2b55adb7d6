/** Payments of a batch against a plain model, a thousand pages: ordered by line, from the last reading. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { readChildPage } from '#shared/rows/item/child-rows.store.ts';
import { rowId } from '#shared/rows/item/row-items.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { runs } from '#test/helpers/effort.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';

vi.mock('#shared/table/table.ts', () => import('#test/fakes/memory-table.ts'));

const BATCHES = 50;
const PAGES_OF_EACH = 20;
const PERIOD = '2026-10';

const pago = (linea: number, monto: string): Row => ({
  linea,
  rut: '11222333-9',
  nombre: 'LUIS MUÑOZ',
  tipo_cuenta: 'CC',
  numero_cuenta: '00045120098',
  banco: 'BANCO TRES',
  monto,
  currency: 'CLP',
  estado: 'PENDIENTE',
  mail: null,
  glosa: null,
  motivo_rechazo: null,
});

const nomina = (pagos: Row[]): Row => ({
  period: PERIOD,
  numero_nomina: '300455',
  nomina_date: `${PERIOD}-28`,
  tipo: 'REMUNERACIONES',
  cuenta_cargo: '001230045607',
  estado: 'PROCESADA',
  num_registros: pagos.length,
  monto: '1000',
  currency: 'CLP',
  pagos,
});

/** Two readings of the batch: lines appear, change, or are no longer shown by the bank. */
const lines = fc.uniqueArray(fc.record({ linea: fc.integer({ min: 1, max: 400 }), monto: fc.constantFrom('1', '2') }), {
  selector: ({ linea }) => linea,
  maxLength: 300,
  size: 'max',
});
const pages = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 200 }), offset: fc.nat(450) }), {
  minLength: PAGES_OF_EACH,
  maxLength: PAGES_OF_EACH,
});

test('any page is that of a plain model', async () => {
  await fc.assert(
    fc.asyncProperty(lines, lines, pages, async (first, second, asked) => {
      const synced = await newSyncedScope(bankoneNominas);
      let model = new Map<number, string>();
      for (const read of [first, second]) {
        await synced.sync(PERIOD, [nomina(read.map(({ linea, monto }) => pago(linea, monto)))]);
        model = new Map(read.map(({ linea, monto }) => [linea, monto]));
      }
      const expected = [...model].sort(([a], [b]) => a - b);
      const id = rowId(synced.address.connectionId, bankoneNominas, nomina([]));
      for (const { limit, offset } of asked) {
        const page = await readChildPage(synced.address, id, offset, limit);
        expect(page?.total).toBe(expected.length);
        const wanted = expected.slice(offset, offset + limit);
        expect(page?.rows.map(({ linea, monto }) => [linea, monto])).toEqual(wanted);
      }
    }),
    { numRuns: runs(BATCHES) },
  );
}, 60_000);

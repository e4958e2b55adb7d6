/** Bulk payment batches (nóminas) of bank one, each with its payments. Source: banks.md §3.1. */
import * as z from 'zod';
import { createSum } from '#shared/values/decimal-sum.ts';
import { day, decimal, period, rut, text, uuid } from '#shared/values/fields.ts';
import { defineScope, listFilters, periodicSyncMetadata } from './scope.ts';

const listed = {
  period: period(),
  numero_nomina: text().nullable(),
  nomina_date: day().nullable().describe('Day of payment, YYYY-MM-DD.'),
  tipo: text().nullable().describe('What is paid, e.g. REMUNERACIONES.'),
  cuenta_cargo: text().nullable().describe('Account that is charged.'),
  estado: text().nullable().describe("The bank's state of the batch."),
  num_registros: z.int().nullable().describe('Number of payments.'),
  monto: decimal().nullable(),
  currency: text().nullable(),
};

const pago = {
  linea: z.int().nullable().describe('Line in the batch.'),
  rut: rut().nullable(),
  nombre: text().nullable(),
  tipo_cuenta: text().nullable().describe('CC current, CA savings, VI sight.'),
  numero_cuenta: text().nullable(),
  banco: text().nullable(),
  monto: decimal().nullable(),
  currency: text().nullable(),
  estado: text().nullable().describe("The bank's state of the payment."),
  mail: text().nullable(),
  glosa: text().nullable().describe('Text for the payee.'),
  motivo_rechazo: text().nullable().describe('Why it was rejected.'),
};

/** If an answer does not contain an optional field, the stored value stays. */
const parsedPago = z.object({
  ...pago,
  linea: z.int(),
  rut: pago.rut.optional(),
  nombre: pago.nombre.optional(),
  tipo_cuenta: pago.tipo_cuenta.optional(),
  numero_cuenta: pago.numero_cuenta.optional(),
  banco: pago.banco.optional(),
  estado: pago.estado.optional(),
  mail: pago.mail.optional(),
  glosa: pago.glosa.optional(),
  motivo_rechazo: pago.motivo_rechazo.optional(),
});

const parsed = z.object({
  ...listed,
  numero_nomina: text().min(1),
  tipo: listed.tipo.optional(),
  cuenta_cargo: listed.cuenta_cargo.optional(),
  estado: listed.estado.optional(),
  pagos: z.array(parsedPago).optional(),
});

export type NominaRow = z.infer<typeof parsed>;
export type PagoRow = z.infer<typeof parsedPago>;

const paymentsOf = (row: NominaRow): PagoRow[] | undefined => row.pagos ?? undefined;

const sumOf = (amounts: readonly (string | null)[]): string => {
  const sum = createSum();
  for (const amount of amounts) sum.add(amount ?? '0');
  return sum.value().toFixed();
};

const listRow = z.object({ id: uuid(), ...listed });

export const bankoneNominas = defineScope({
  source: 'bankone',
  name: 'nominas',
  label: 'Nóminas de pago',
  resource: 'bankone-nominas',
  periodic: true,
  parsed,
  listRow,
  /**
   * A full row locates the list row after a batch has moved to another day. It has no further fields, because no
   * endpoint shows more than the list.
   */
  fullRow: listRow,
  naturalKey: (row) => [row.numero_nomina],
  isShownIn: 'run',
  /** A batch may move to another day of payment, and its state changes. */
  facts: ['cuenta_cargo', 'num_registros', 'monto', 'currency'],
  eventDay: (row) => row.nomina_date,
  eventInstant: () => null,
  facets: {},
  childRows: {
    field: 'pagos',
    listRow: z.object({ id: uuid(), ...pago }),
    naturalKey: (payment: PagoRow) => [payment.linea],
    position: (payment: PagoRow) => payment.linea,
    /** State, text and reason of a payment may change. */
    facts: ['rut', 'nombre', 'numero_cuenta', 'monto', 'currency'],
  },
  /**
   * Totals that the source reports for each batch, computed from the payments of the batch. The figures are undefined
   * for a stored batch, because its payments are not read again.
   */
  totals: {
    fields: ['numero_nomina', 'pagos'],
    groupOf: (row) => ({ numero_nomina: row.numero_nomina }),
    figures: {
      num_registros: (row) => paymentsOf(row)?.length.toString(),
      monto: (row) => paymentsOf(row) && sumOf(paymentsOf(row)!.map(({ monto }) => monto)),
    },
  },
  filters: listFilters('`nomina_date`', {}),
  syncMetadata: periodicSyncMetadata,
  agent: {
    columns: [
      'id',
      'period',
      'numero_nomina',
      'nomina_date',
      'tipo',
      'cuenta_cargo',
      'estado',
      'num_registros',
      'monto',
      'currency',
    ],
    sums: ['num_registros', 'monto'],
    groups: ['estado', 'currency'],
  },
  document: null,
});

/** Account movements of bank two, which gives each movement a number. Source: banks.md §3.2. */
import * as z from 'zod';
import { day, decimal, period, rut, text, uuid } from '#shared/values/fields.ts';
import { accountKey } from '#shared/values/statements.ts';
import { tipo } from './banks/statement-movements.ts';
import { DIRECTIONS, defineScope, direction, listFilters, periodicSyncMetadata } from './scope.ts';

const listed = {
  period: period().describe('Month of the accounting date.'),
  numero_cuenta: text().min(1),
  fecha_movimiento: day().nullable(),
  fecha_contable: day().nullable().describe('Day on which the bank booked it.'),
  descripcion: text().nullable(),
  amount: decimal().nullable().describe('Signed: charges negative, credits positive.'),
  saldo_contable: decimal().nullable().describe('Balance after the movement.'),
  tipo: tipo(),
  mnemonico: text().nullable().describe("The bank's movement code."),
  direction: direction().describe('received: credit, issued: charge.'),
  category: text().nullable().describe("The bank's category."),
  counterparty_name: text().nullable(),
  counterparty_rut: rut().nullable(),
  counterparty_bank: text().nullable(),
  counterparty_account: text().nullable(),
};

const parsed = z.object({
  ...listed,
  /** If an answer does not contain one of these fields, the stored value stays. */
  descripcion: listed.descripcion.optional(),
  mnemonico: listed.mnemonico.optional(),
  category: listed.category.optional(),
  counterparty_name: listed.counterparty_name.optional(),
  counterparty_rut: listed.counterparty_rut.optional(),
  counterparty_bank: listed.counterparty_bank.optional(),
  counterparty_account: listed.counterparty_account.optional(),
  /** The bank's number of the movement, unique per account and accounting day. The API does not return it. */
  movement_number: text().min(1),
});

export type BanktwoMovement = z.infer<typeof parsed>;

export const banktwoMovements = defineScope({
  source: 'banktwo',
  name: 'movements',
  label: 'Movimientos',
  resource: 'banktwo-movements',
  periodic: true,
  parsed,
  listRow: z.object({ id: uuid(), ...listed }),
  fullRow: null,
  naturalKey: (row) => {
    const { period, numero_cuenta, fecha_contable, movement_number } = row;
    return [period, accountKey(numero_cuenta), fecha_contable ?? '', movement_number];
  },
  numbered: {
    content: ['numero_cuenta', 'fecha_contable', 'fecha_movimiento', 'amount', 'saldo_contable'],
    marks: ['amount', 'saldo_contable'],
  },
  walk: { account: 'numero_cuenta', amount: 'amount', balance: 'saldo_contable' },
  isShownIn: 'month',
  /** Balances change with a late booking, texts and categories with the bank's own corrections. */
  facts: ['fecha_movimiento', 'amount', 'direction', 'counterparty_rut', 'counterparty_name', 'counterparty_account'],
  eventDay: (row) => row.fecha_movimiento,
  eventInstant: () => null,
  facets: { direction: DIRECTIONS },
  filters: listFilters('`fecha_movimiento`', { direction: direction().optional() }),
  syncMetadata: periodicSyncMetadata,
  agent: {
    columns: [
      'id',
      'period',
      'numero_cuenta',
      'fecha_movimiento',
      'fecha_contable',
      'descripcion',
      'amount',
      'saldo_contable',
      'tipo',
      'direction',
      'category',
      'counterparty_name',
      'counterparty_rut',
    ],
    sums: ['amount'],
    groups: ['numero_cuenta', 'direction'],
  },
  document: null,
});

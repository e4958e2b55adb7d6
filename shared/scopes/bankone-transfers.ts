/** Electronic transfers of bank one. Source: banks.md §3.1. */
import * as z from 'zod';
import { santiagoDay } from '#shared/values/dates.ts';
import { decimal, instant, period, rut, text, uuid } from '#shared/values/fields.ts';
import { DIRECTIONS, defineScope, direction, listFilters, periodicSyncMetadata } from './scope.ts';

const listed = {
  period: period(),
  direction: direction(),
  transferred_at: instant().nullable(),
  amount: decimal().nullable().describe('Always positive. `direction` says which way the money went.'),
  numero_transaccion: text().nullable(),
  currency: text().nullable(),
  subject: text().nullable(),
  counterparty_rut: rut().nullable(),
  counterparty_name: text().nullable(),
  counterparty_bank: text().nullable(),
};

const parsed = z.object({
  ...listed,
  numero_transaccion: text().min(1),
  /** If an answer does not contain one of these fields, the stored value stays. */
  subject: listed.subject.optional(),
  counterparty_rut: listed.counterparty_rut.optional(),
  counterparty_name: listed.counterparty_name.optional(),
  counterparty_bank: listed.counterparty_bank.optional(),
});

export type TransferRow = z.infer<typeof parsed>;

const dayOf = ({ transferred_at }: TransferRow): string | null =>
  transferred_at === null ? null : santiagoDay(Date.parse(transferred_at));

export const bankoneTransfers = defineScope({
  source: 'bankone',
  name: 'transfers',
  label: 'Transferencias',
  resource: 'bankone-transfers',
  periodic: true,
  parsed,
  listRow: z.object({ id: uuid(), ...listed }),
  fullRow: null,
  /**
   * The key contains the direction, because a transfer between two accounts of the company is received and issued under
   * one number.
   */
  naturalKey: (row) => {
    const { period, direction, numero_transaccion } = row;
    return [period, direction, numero_transaccion];
  },
  numbered: {
    content: ['direction', 'transferred_at', 'amount', 'currency', 'counterparty_rut'],
    marks: ['transferred_at', 'amount'],
  },
  isShownIn: 'month',
  /** The subject and the name of the other bank may change. */
  facts: ['transferred_at', 'amount', 'currency', 'counterparty_rut', 'counterparty_name'],
  eventDay: (row) => dayOf(row),
  eventInstant: (row) => row.transferred_at,
  facets: { direction: DIRECTIONS },
  filters: listFilters('`transferred_at`', { direction: direction().optional() }),
  syncMetadata: periodicSyncMetadata,
  agent: {
    columns: [
      'id',
      'period',
      'direction',
      'transferred_at',
      'amount',
      'currency',
      'numero_transaccion',
      'subject',
      'counterparty_rut',
      'counterparty_name',
      'counterparty_bank',
    ],
    sums: ['amount'],
    groups: ['direction', 'currency'],
  },
  document: null,
});

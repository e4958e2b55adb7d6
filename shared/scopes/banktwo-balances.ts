/** Balances of bank two. Source: banks.md §3.2. */
import { decimal } from '#shared/values/fields.ts';
import { defineBalances } from './banks/balances.ts';

export const banktwoBalances = defineBalances('banktwo', {
  saldo_contable: decimal().nullable().describe('Book balance.'),
  saldo_disponible: decimal().nullable().describe('Available balance.'),
  saldo_contable_9am: decimal()
    .nullable()
    .describe('Book balance at 09:00. Null before 09:00 and on non-banking days.'),
  retencion: decimal().nullable().describe('Sum of what is withheld.'),
});

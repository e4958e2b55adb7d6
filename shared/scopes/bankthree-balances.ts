/** Balances of bank three. Source: banks.md §3.3. */
import { decimal } from '#shared/values/fields.ts';
import { defineBalances } from './banks/balances.ts';

export const bankthreeBalances = defineBalances('bankthree', {
  saldo_contable: decimal().nullable().describe('Book balance.'),
  saldo_disponible: decimal().nullable().describe('Available balance.'),
});

/** Balances of bank one. Source: banks.md §3.1. */
import { decimal } from '#shared/values/fields.ts';
import { defineBalances } from './banks/balances.ts';

export const bankoneBalances = defineBalances('bankone', {
  saldo_contable: decimal().nullable().describe('Book balance.'),
  saldo_disponible: decimal().nullable().describe('Available balance.'),
  saldo_provisorio: decimal().nullable().describe("Running balance of the open statement, today's entries included."),
});

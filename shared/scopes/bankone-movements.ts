/** Account movements of bank one, open month and closed months. Source: banks.md §3.1. */
import { defineStatementMovements } from './banks/statement-movements.ts';

export const bankoneMovements = defineStatementMovements(
  'bankone',
  'Real in the current month. Statements of closed months do not tell it: CLP is reported there for every account.',
);

/** Account movements of bank one, of the open month and of closed months. Source: banks.md §3.1. */
import { defineStatementMovements } from './banks/statement-movements.ts';

export const bankoneMovements = defineStatementMovements(
  'bankone',
  'Correct in the current month. Statements of closed months contain no currency, so CLP is reported for every account.',
);

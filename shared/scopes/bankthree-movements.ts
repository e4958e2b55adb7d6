/** Account movements of bank three, from its statement files. Source: banks.md §3.3. */
import { defineStatementMovements } from './banks/statement-movements.ts';

export const bankthreeMovements = defineStatementMovements('bankthree', 'As the statement says.');

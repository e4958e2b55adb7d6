import { defineTotals } from '#shared/http/lists/synchronized.ts';
import { bankthreeMovements } from '#shared/scopes/bankthree-movements.ts';

export const contract = defineTotals(bankthreeMovements, { id: 'get-bankthree-movement-totals', tag: 'Bank three' });

import { defineTotals } from '#shared/http/lists/synchronized.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';

export const contract = defineTotals(bankoneMovements, { id: 'get-bankone-movement-totals', tag: 'Bank one' });

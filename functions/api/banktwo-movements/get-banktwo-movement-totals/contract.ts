import { defineTotals } from '#shared/http/lists/synchronized.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';

export const contract = defineTotals(banktwoMovements, { id: 'get-banktwo-movement-totals', tag: 'Bank two' });

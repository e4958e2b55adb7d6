import { definePeriods } from '#shared/http/lists/synchronized.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';

export const contract = definePeriods(banktwoMovements, { id: 'list-banktwo-movement-periods', tag: 'Bank two' });

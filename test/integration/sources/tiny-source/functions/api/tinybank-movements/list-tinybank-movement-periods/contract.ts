import { definePeriods } from '#shared/http/lists/synchronized.ts';
import { tinybankMovements } from '../../../../shared/scopes/tinybank-movements.ts';

export const contract = definePeriods(tinybankMovements, { id: 'list-tinybank-movement-periods', tag: 'Tiny bank' });

import { definePeriods } from '#shared/http/lists/synchronized.ts';
import { bankthreeMovements } from '#shared/scopes/bankthree-movements.ts';

export const contract = definePeriods(bankthreeMovements, { id: 'list-bankthree-movement-periods', tag: 'Bank three' });

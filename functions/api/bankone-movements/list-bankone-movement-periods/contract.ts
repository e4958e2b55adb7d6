import { definePeriods } from '#shared/http/lists/synchronized.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';

export const contract = definePeriods(bankoneMovements, { id: 'list-bankone-movement-periods', tag: 'Bank one' });

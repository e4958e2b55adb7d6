import { definePeriods } from '#shared/http/lists/synchronized.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';

export const contract = definePeriods(bankoneNominas, { id: 'list-bankone-nomina-periods', tag: 'Bank one' });

import { defineTotals } from '#shared/http/lists/synchronized.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';

export const contract = defineTotals(bankoneNominas, { id: 'get-bankone-nomina-totals', tag: 'Bank one' });

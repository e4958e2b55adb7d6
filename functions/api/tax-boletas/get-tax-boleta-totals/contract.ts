import { defineTotals } from '#shared/http/lists/synchronized.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';

export const contract = defineTotals(taxBoletas, { id: 'get-tax-boleta-totals', tag: 'Tax authority' });

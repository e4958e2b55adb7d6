import { definePeriods } from '#shared/http/lists/synchronized.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';

export const contract = definePeriods(taxBoletas, { id: 'list-tax-boleta-periods', tag: 'Tax authority' });

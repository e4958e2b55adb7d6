import { definePeriods } from '#shared/http/lists/synchronized.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';

export const contract = definePeriods(taxGuias, { id: 'list-tax-dispatch-guide-periods', tag: 'Tax authority' });

import { defineTotals } from '#shared/http/lists/synchronized.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';

export const contract = defineTotals(taxGuias, { id: 'get-tax-dispatch-guide-totals', tag: 'Tax authority' });

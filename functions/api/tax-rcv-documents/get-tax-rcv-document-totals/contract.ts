import { defineTotals } from '#shared/http/lists/synchronized.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';

export const contract = defineTotals(taxRcv, { id: 'get-tax-rcv-document-totals', tag: 'Tax authority' });

import { definePeriods } from '#shared/http/lists/synchronized.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';

export const contract = definePeriods(taxRcv, { id: 'list-tax-rcv-document-periods', tag: 'Tax authority' });

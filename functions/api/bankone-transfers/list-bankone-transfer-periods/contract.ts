import { definePeriods } from '#shared/http/lists/synchronized.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';

export const contract = definePeriods(bankoneTransfers, { id: 'list-bankone-transfer-periods', tag: 'Bank one' });

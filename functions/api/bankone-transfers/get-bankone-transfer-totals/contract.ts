import { defineTotals } from '#shared/http/lists/synchronized.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';

export const contract = defineTotals(bankoneTransfers, { id: 'get-bankone-transfer-totals', tag: 'Bank one' });

import { defineBalanceList } from '#shared/http/lists/synchronized.ts';
import { bankoneBalances } from '#shared/scopes/bankone-balances.ts';

export const contract = defineBalanceList(bankoneBalances, {
  id: 'list-bankone-balances',
  tag: 'Bank one',
  bank: 'bank one',
});

import { defineBalanceList } from '#shared/http/lists/synchronized.ts';
import { bankthreeBalances } from '#shared/scopes/bankthree-balances.ts';

export const contract = defineBalanceList(bankthreeBalances, {
  id: 'list-bankthree-balances',
  tag: 'Bank three',
  bank: 'bank three',
});

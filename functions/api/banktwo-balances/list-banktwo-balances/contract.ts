import { defineBalanceList } from '#shared/http/lists/synchronized.ts';
import { banktwoBalances } from '#shared/scopes/banktwo-balances.ts';

export const contract = defineBalanceList(banktwoBalances, {
  id: 'list-banktwo-balances',
  tag: 'Bank two',
  bank: 'bank two',
});

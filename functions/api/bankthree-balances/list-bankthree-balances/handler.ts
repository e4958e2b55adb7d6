import { endpoint } from '#shared/http/endpoint.ts';
import { listBalances } from '#shared/http/lists/read-rows.ts';
import { bankthreeBalances } from '#shared/scopes/bankthree-balances.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listBalances(bankthreeBalances));

import { endpoint } from '#shared/http/endpoint.ts';
import { listBalances } from '#shared/http/lists/read-rows.ts';
import { bankoneBalances } from '#shared/scopes/bankone-balances.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listBalances(bankoneBalances));

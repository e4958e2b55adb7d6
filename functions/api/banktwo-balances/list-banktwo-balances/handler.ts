import { endpoint } from '#shared/http/endpoint.ts';
import { listBalances } from '#shared/http/lists/read-rows.ts';
import { banktwoBalances } from '#shared/scopes/banktwo-balances.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listBalances(banktwoBalances));

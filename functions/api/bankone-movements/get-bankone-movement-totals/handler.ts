import { endpoint } from '#shared/http/endpoint.ts';
import { sumList } from '#shared/http/lists/read-totals.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, sumList(bankoneMovements));

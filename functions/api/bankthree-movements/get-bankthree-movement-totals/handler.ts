import { endpoint } from '#shared/http/endpoint.ts';
import { sumList } from '#shared/http/lists/read-totals.ts';
import { bankthreeMovements } from '#shared/scopes/bankthree-movements.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, sumList(bankthreeMovements));

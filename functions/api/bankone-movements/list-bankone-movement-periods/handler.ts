import { endpoint } from '#shared/http/endpoint.ts';
import { listPeriods } from '#shared/http/lists/read-rows.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listPeriods(bankoneMovements));

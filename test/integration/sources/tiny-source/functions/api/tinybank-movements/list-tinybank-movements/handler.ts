import { endpoint } from '#shared/http/endpoint.ts';
import { listRows } from '#shared/http/lists/read-rows.ts';
import { tinybankMovements } from '../../../../shared/scopes/tinybank-movements.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listRows(tinybankMovements));

import { endpoint } from '#shared/http/endpoint.ts';
import { sumList } from '#shared/http/lists/read-totals.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, sumList(banktwoMovements));

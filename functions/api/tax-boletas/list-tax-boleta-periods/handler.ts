import { endpoint } from '#shared/http/endpoint.ts';
import { listPeriods } from '#shared/http/lists/read-rows.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listPeriods(taxBoletas));

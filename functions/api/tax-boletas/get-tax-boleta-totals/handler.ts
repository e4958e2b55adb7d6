import { endpoint } from '#shared/http/endpoint.ts';
import { sumList } from '#shared/http/lists/read-totals.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, sumList(taxBoletas));

import { endpoint } from '#shared/http/endpoint.ts';
import { sumList } from '#shared/http/lists/read-totals.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, sumList(taxGuias));

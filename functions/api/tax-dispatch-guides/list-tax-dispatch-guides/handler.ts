import { endpoint } from '#shared/http/endpoint.ts';
import { listRows } from '#shared/http/lists/read-rows.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listRows(taxGuias));

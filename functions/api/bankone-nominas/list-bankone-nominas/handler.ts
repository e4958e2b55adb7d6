import { endpoint } from '#shared/http/endpoint.ts';
import { listRows } from '#shared/http/lists/read-rows.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listRows(bankoneNominas));

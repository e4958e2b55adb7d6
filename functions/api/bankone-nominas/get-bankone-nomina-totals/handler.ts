import { endpoint } from '#shared/http/endpoint.ts';
import { sumList } from '#shared/http/lists/read-totals.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, sumList(bankoneNominas));

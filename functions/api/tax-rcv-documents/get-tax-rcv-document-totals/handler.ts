import { endpoint } from '#shared/http/endpoint.ts';
import { sumList } from '#shared/http/lists/read-totals.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, sumList(taxRcv));

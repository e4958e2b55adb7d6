import { endpoint } from '#shared/http/endpoint.ts';
import { listPeriods } from '#shared/http/lists/read-rows.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listPeriods(taxRcv));

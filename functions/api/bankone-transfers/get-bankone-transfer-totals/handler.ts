import { endpoint } from '#shared/http/endpoint.ts';
import { sumList } from '#shared/http/lists/read-totals.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, sumList(bankoneTransfers));

import { endpoint } from '#shared/http/endpoint.ts';
import { listRows } from '#shared/http/lists/read-rows.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listRows(bankoneTransfers));

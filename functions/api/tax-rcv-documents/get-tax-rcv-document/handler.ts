import { endpoint } from '#shared/http/endpoint.ts';
import { getDocument } from '#shared/http/lists/read-rows.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, getDocument(taxRcv, 'documentId', 'rcv_document_not_found'));

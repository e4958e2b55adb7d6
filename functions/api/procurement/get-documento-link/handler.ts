import { endpoint } from '#shared/http/endpoint.ts';
import { linkDocument } from '#shared/http/lists/tender-lists.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, linkDocument);

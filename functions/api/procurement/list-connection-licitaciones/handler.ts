import { endpoint } from '#shared/http/endpoint.ts';
import { belowConnection, listTenders } from '#shared/http/lists/tender-lists.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, belowConnection(listTenders));

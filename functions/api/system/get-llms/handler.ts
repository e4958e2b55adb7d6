import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { contract } from './contract.ts';
import list from './llms.gen.json' with { type: 'json' };

const body = new TextEncoder().encode(list.text);
const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache', etag: list.etag };

export const getLlms: Logic<typeof contract> = async () => ({ status: 200, body, headers });

export const handler = endpoint(contract, getLlms);

import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { contract } from './contract.ts';
import page from './page.gen.json' with { type: 'json' };

const body = new TextEncoder().encode(page.text);
const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', etag: page.etag };

export const getDocs: Logic<typeof contract> = async () => ({ status: 200, body, headers });

export const handler = endpoint(contract, getDocs);

import { createHash } from 'node:crypto';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { contract } from './contract.ts';
import { PAGE } from './page.ts';

const body = new TextEncoder().encode(PAGE);
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
};

export const getDocsTry: Logic<typeof contract> = async () => ({ status: 200, body, headers });

export const handler = endpoint(contract, getDocsTry);

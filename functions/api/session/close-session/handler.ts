import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { noSessionCookie } from '#shared/http/session-cookie.ts';
import { contract } from './contract.ts';

export const closeSession: Logic<typeof contract> = async () => ({
  status: 204,
  body: undefined,
  headers: { 'set-cookie': noSessionCookie(), 'cache-control': 'no-store' },
});

export const handler = endpoint(contract, closeSession);

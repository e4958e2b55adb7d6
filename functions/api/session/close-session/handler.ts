import { noSessionCookie } from '#shared/auth/session-cookie.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { contract } from './contract.ts';

export const closeSession: Logic<typeof contract> = async () => ({
  status: 204,
  body: undefined,
  headers: { 'set-cookie': noSessionCookie(), 'cache-control': 'no-store' },
});

export const handler = endpoint(contract, closeSession);

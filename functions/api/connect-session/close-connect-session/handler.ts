import { tokenHash } from '#shared/auth/token.store.ts';
import { noLinkCookie, readLinkCookie } from '#shared/connect-links/link-cookie.ts';
import * as visits from '#shared/connect-links/visit.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { contract } from './contract.ts';

export const closeConnectSession: Logic<typeof contract> = async ({ cookies }) => {
  const cookie = readLinkCookie(cookies);
  const visit = cookie === undefined ? undefined : await visits.findBySession(tokenHash(cookie));
  if (visit !== undefined) await visits.closeSession(visit);
  return { status: 204, body: undefined, headers: { 'set-cookie': noLinkCookie(), 'cache-control': 'no-store' } };
};

export const handler = endpoint(contract, closeConnectSession);

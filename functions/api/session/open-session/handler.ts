import { decodeJwt } from 'jose';
import { recordSession } from '#shared/auth/session.store.ts';
import { callerOfSession } from '#shared/auth/session.ts';
import { buildSessionCookie } from '#shared/auth/session-cookie.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const openSession: Logic<typeof contract> = async ({ body: { access_token: token }, source }) => {
  const caller = await callerOfSession(token);
  await recordSession(caller, 'session.opened', source);
  // `exp` is always set, because the verification above refuses a token without `exp`.
  const expiresSeconds = decodeJwt(token).exp ?? 0;
  const maxAgeSeconds = Math.max(0, expiresSeconds - Math.floor(nowMs() / 1000));
  return {
    status: 200,
    body: { data: { expires_at: new Date(expiresSeconds * 1000).toISOString() } },
    headers: { 'set-cookie': buildSessionCookie(token, maxAgeSeconds), 'cache-control': 'no-store' },
  };
};

export const handler = endpoint(contract, openSession);

import type { RequestSource } from '#shared/audit/audit.rules.ts';
import { recordSession } from '#shared/auth/session.store.ts';
import { callerOfSession } from '#shared/auth/session.ts';
import { noSessionCookie, sessionCookie } from '#shared/auth/session-cookie.ts';
import { SessionRejected } from '#shared/auth/session-rejected.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { contract } from './contract.ts';

/**
 * Records the end of a valid session; without one, nothing is closed. A failure is only logged, because the person must
 * be able to remove the cookie at any time.
 */
const recordEnd = async (cookies: readonly string[], source: RequestSource): Promise<void> => {
  try {
    const token = sessionCookie(cookies);
    if (token === undefined) return;
    await recordSession(await callerOfSession(token), 'session.closed', source);
  } catch (error) {
    if (!(error instanceof SessionRejected)) log.warn('the end of a session was not recorded', describeError(error));
  }
};

export const closeSession: Logic<typeof contract> = async ({ cookies, source }) => {
  await recordEnd(cookies, source);
  return {
    status: 204,
    body: undefined,
    headers: { 'set-cookie': noSessionCookie(), 'cache-control': 'no-store' },
  };
};

export const handler = endpoint(contract, closeSession);

import type { Caller } from '#shared/auth/caller.ts';
import { recordSession } from '#shared/auth/session.store.ts';
import { callerOfSession, SessionRejected, sessionCookie } from '#shared/auth/session.ts';
import { noSessionCookie } from '#shared/auth/session-cookie.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { contract } from './contract.ts';

/** Returns the person who signs out; undefined if the request has no valid session, so that nothing is closed. */
const findPerson = async (cookies: readonly string[]): Promise<Caller | undefined> => {
  const token = sessionCookie(cookies);
  if (token === undefined) return undefined;
  try {
    return await callerOfSession(token);
  } catch (error) {
    if (error instanceof SessionRejected) return undefined;
    throw error;
  }
};

export const closeSession: Logic<typeof contract> = async ({ cookies, source }) => {
  const person = await findPerson(cookies);
  if (person !== undefined) await recordSession(person, 'session.closed', source);
  return {
    status: 204,
    body: undefined,
    headers: { 'set-cookie': noSessionCookie(), 'cache-control': 'no-store' },
  };
};

export const handler = endpoint(contract, closeSession);

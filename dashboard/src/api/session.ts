/**
 * Opens and closes the session. Scripts cannot read its cookie, so only the API's responses show whether a session
 * exists.
 */
import { readJson, request } from './client.ts';
import { toRefusal } from './refusal.ts';

export interface WhoseSession {
  organization_id: string;
  person_id: string | null;
  email: string | null;
}

/** Reads whose session it is. The result also shows whether a session exists. */
export const sessionQuery = {
  queryKey: ['session'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    readJson<{ data: WhoseSession }>('/session', new URLSearchParams(), signal),
};

const send = async (path: string, method: string, body?: string): Promise<void> => {
  const json = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
  const response = await request(path, { method, ...json });
  if (!response.ok) throw toRefusal(response, await response.json().catch(() => null));
};

/**
 * Opens a session of the local stack's organization; only the local stack has this path. @throws ApiRefusal,
 * LostConnection
 */
export const openDevelopmentSession = (): Promise<void> => send('/_local/session', 'POST');

/** Sends the token to the API, which validates it and stores it in the cookie. @throws ApiRefusal, LostConnection */
export const openSession = (accessToken: string): Promise<void> =>
  send('/session', 'PUT', JSON.stringify({ access_token: accessToken }));

/** @throws ApiRefusal, LostConnection */
export const closeSession = (): Promise<void> => send('/session', 'DELETE');

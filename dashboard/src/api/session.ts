/** The session is a cookie that scripts cannot read, so only the API's responses show whether it exists. */
import { api, must, request } from './client.ts';
import { toRefusal } from './refusal.ts';

/** This query is the first page's list, and its result also shows whether there is a session. */
export const connectionsQuery = {
  queryKey: ['connections'],
  queryFn: ({ signal }: { signal: AbortSignal }) => must(api.GET('/connections', { signal })),
};

const send = async (path: string, method: string, body?: string): Promise<void> => {
  const json = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
  const response = await request(path, { method, ...json });
  if (!response.ok) throw toRefusal(response, await response.json().catch(() => null));
};

/**
 * Opens a session of the local stack's organization; only the local stack has this path. @throws Refusal,
 * LostConnection
 */
export const openDevelopmentSession = (): Promise<void> => send('/_local/session', 'POST');

/** The API validates the token and stores it in the cookie. @throws Refusal, LostConnection */
export const openSession = (accessToken: string): Promise<void> =>
  send('/session', 'PUT', JSON.stringify({ access_token: accessToken }));

/** @throws Refusal, LostConnection */
export const closeSession = (): Promise<void> => send('/session', 'DELETE');

/** The session is a cookie that no script here can read: it is there when the API says so. */
import { api, must, request } from './client.ts';
import { toRefusal } from './refusal.ts';

/** What the first page shows anyway tells whether there is a session. */
export const connectionsQuery = {
  queryKey: ['connections'],
  queryFn: ({ signal }: { signal: AbortSignal }) => must(api.GET('/connections', { signal })),
};

const send = async (path: string, method: string, body?: string): Promise<void> => {
  const json = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
  const response = await request(path, { method, ...json });
  if (!response.ok) throw toRefusal(response, await response.json().catch(() => null));
};

/** The local stack's own: a session of its organization. @throws Refusal, LostConnection */
export const openDevelopmentSession = (): Promise<void> => send('/_local/session', 'POST');

/** The API checks the token and keeps it in the cookie. @throws Refusal, LostConnection */
export const openSession = (accessToken: string): Promise<void> =>
  send('/session', 'PUT', JSON.stringify({ access_token: accessToken }));

/** @throws Refusal, LostConnection */
export const closeSession = (): Promise<void> => send('/session', 'DELETE');

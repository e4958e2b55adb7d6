/**
 * The session of a connect link, in the browser of a customer who has no account here. The token of the address is sent
 * once and removed from the address; scripts cannot read the session's cookie.
 */
import { request, type Schemas } from '../api/client.ts';
import { ApiRefusal, toRefusal } from '../api/refusal.ts';

const STATES = ['asked', 'checking', 'approval', 'accepted', 'refused', 'stored', 'unavailable'] as const;

export interface LinkSession {
  session_id: string;
  link_id: string;
  kind: 'single' | 'repair' | 'standing';
  asked_by: string;
  name: string;
  scopes: string[];
  source: Schemas['ExternalSource'];
  return_url: string | null;
  session_expires_at: string;
  state: (typeof STATES)[number];
  error_code: string | null;
  until: string | null;
  tries_left: number;
  /** The sender reads the same with this login by another connection. Only said once the login is accepted. */
  is_connected_twice: boolean;
}

const PATH = '/connect-session';

/** @throws ApiRefusal, LostConnection */
const ask = async (path: string, method: string, body?: object): Promise<LinkSession> => {
  const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await request(path, { method, ...json });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toRefusal(response, answer);
  return (answer as { data: LinkSession }).data;
};

/** Parts of the address `/connect#<token>&reference=…&expires=…&signature=…`. */
const SIGNED = ['reference', 'expires', 'signature'] as const;

/** Takes the token out of the address and the browser's history. Undefined if the address has no token. */
const takeToken = (): Record<string, string> | undefined => {
  const [token = '', ...rest] = location.hash.slice(1).split('&');
  if (token === '') return undefined;
  history.replaceState(history.state, '', location.pathname);
  const signed = new URLSearchParams(rest.join('&'));
  const parts = SIGNED.flatMap((name) => (signed.has(name) ? [[name, signed.get(name) ?? '']] : []));
  return { token, ...Object.fromEntries(parts) };
};

/** The address that this page was opened with, in memory only. Undefined after a reload. */
const address = takeToken();
/** Name of the session that this page shows. */
let own: string | undefined;

const keep = (session: LinkSession): LinkSession => {
  own = session.session_id;
  return session;
};

/** True unless another page of this browser has opened a link since. */
export const isOwn = ({ session_id }: LinkSession): boolean => session_id === own;

/** Opens the link of the address once; later reads use the cookie. */
export const readLink = async (): Promise<LinkSession> => {
  if (own === undefined && address !== undefined) return keep(await ask(PATH, 'POST', address));
  const session = await ask(PATH, 'GET');
  return own === undefined ? keep(session) : session;
};

const send = (credentials: object): Promise<LinkSession> =>
  ask(`${PATH}/credentials`, 'POST', { session_id: own, credentials });

/**
 * Sends the credentials to the link that this page shows. If its session ended, the link is opened again: a program that
 * checks links in mails opens them too, and ends the customer's session with that.
 */
export const sendCredentials = async (credentials: object): Promise<LinkSession> => {
  try {
    return await send(credentials);
  } catch (error) {
    if (address === undefined || !(error instanceof ApiRefusal) || error.status !== 410) throw error;
    keep(await ask(PATH, 'POST', address));
    return await send(credentials);
  }
};

/** Ends the session, so that the next person at this browser cannot continue it. */
export const closeLink = async (): Promise<void> => {
  await request(PATH, { method: 'DELETE' });
};

/** Returns the address to which the customer goes back. It contains only the link and what became of it. */
export const wayBack = ({ return_url, link_id }: LinkSession, status: 'connected' | 'not_connected'): string | null => {
  if (return_url === null) return null;
  const url = new URL(return_url);
  url.searchParams.set('link_id', link_id);
  url.searchParams.set('status', status);
  return url.href;
};

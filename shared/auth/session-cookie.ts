/** The cookies with the dashboard's session (decisions.md §2). Scripts of a page cannot read them. */
import { envOr } from '#shared/platform/env.ts';
import { BASE_VARIABLES } from '#shared/platform/needs.ts';
import { SessionRejected } from './session-rejected.ts';

/** The cookie of the service description. Another host of the same domain can also set it, so it never decides first. */
export const SESSION_COOKIE = 'sb-access-token';
/** The cookie that the API sets on https. Browsers accept a name with this prefix only from the host itself. */
const HOST_COOKIE = `__Host-${SESSION_COOKIE}`;

/**
 * The longest time for which browsers store a cookie (RFC 6265bis §5.5). The host's cookie outlives its token, so that
 * after the end of a session the person signs in again, and a session that another host planted is still ignored.
 */
const STORED_SECONDS = 400 * 86_400;

/**
 * `Lax`: a link on a foreign page may open the dashboard, but a foreign page cannot send requests that change data with
 * this cookie.
 */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/**
 * True if the origin uses plain http. Plain http is only used for a loopback origin of the local stage (infra/stages.ts
 * refuses any other origin with http).
 */
export const isPlainHttp = (): boolean => envOr(BASE_VARIABLES.publicOrigins, '').startsWith('http:');

/** @param maxAgeSeconds how long the token is valid; on plain http the browser stores the cookie as long */
export const buildSessionCookie = (token: string, maxAgeSeconds: number): string =>
  isPlainHttp()
    ? `${SESSION_COOKIE}=${token}; Max-Age=${maxAgeSeconds}; ${ATTRIBUTES}`
    : `${HOST_COOKIE}=${token}; Max-Age=${STORED_SECONDS}; ${ATTRIBUTES}; Secure`;

export const noSessionCookie = (): string => buildSessionCookie('', 0);

/**
 * Returns the session cookie for plain http on a loopback address. The cookie has no `Max-Age`, so the browser deletes
 * it when the browser is closed.
 */
export const buildLocalSessionCookie = (token: string): string => `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}`;

/** Returns the different values of the cookie with this name. */
export const readCookieValues = (cookies: readonly string[], wanted: string): string[] => {
  const values = new Set<string>();
  for (const pair of cookies.flatMap((cookie) => cookie.split(';'))) {
    const [name = '', ...rest] = pair.split('=');
    if (name.trim() === wanted) values.add(rest.join('=').trim());
  }
  return [...values];
};

/**
 * Returns the token of the session cookie, or undefined if there is no such cookie. The host's cookie decides, even if
 * it is empty or its token has expired.
 *
 * @throws SessionRejected if the cookie that decides is sent with different values
 */
export const sessionCookie = (cookies: readonly string[] = []): string | undefined => {
  for (const name of [HOST_COOKIE, SESSION_COOKIE]) {
    const [value, another] = readCookieValues(cookies, name);
    if (another !== undefined)
      throw new SessionRejected('unauthorized', `The cookie ${name} was sent with different values. Sign in again.`);
    if (value !== undefined) return value;
  }
  return undefined;
};

/** The cookie with the dashboard's session (decisions.md §2). Scripts of a page cannot read it. */
import { envOr } from '#shared/platform/env.ts';
import { BASE_VARIABLES } from '#shared/platform/needs.ts';

export const SESSION_COOKIE = 'sb-access-token';

/**
 * `Lax`: a link on a foreign page may open the dashboard, but a foreign page cannot send requests that change data with
 * this cookie.
 */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/**
 * True if the origin uses plain http. Plain http is only used for a loopback origin of the local stage (infra/stages.ts
 * refuses any other origin with http).
 */
const isPlainHttp = (): boolean => envOr(BASE_VARIABLES.publicOrigins, '').startsWith('http:');

const attributes = (): string => `${ATTRIBUTES}${isPlainHttp() ? '' : '; Secure'}`;

/** @param maxAgeSeconds how long the browser stores the cookie: as long as the token is valid */
export const buildSessionCookie = (token: string, maxAgeSeconds: number): string =>
  `${SESSION_COOKIE}=${token}; Max-Age=${maxAgeSeconds}; ${attributes()}`;

export const noSessionCookie = (): string => `${SESSION_COOKIE}=; Max-Age=0; ${attributes()}`;

/**
 * Returns the session cookie for plain http on a loopback address. The cookie has no `Max-Age`, so the browser deletes
 * it when the browser is closed.
 */
export const buildLocalSessionCookie = (token: string): string => `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}`;

/** The cookie of a link's session. Only the API reads it: no script of a page, and no request of a foreign page. */
import { isPlainHttp, readCookieValues } from '#shared/auth/session-cookie.ts';
import { CONNECT_LINK_LIMITS } from './limits.ts';

/** Browsers accept a name with the prefix `__Host-` only from the host itself, with `Secure` and `Path=/`. */
const HOST_COOKIE = '__Host-connect';
/** On plain http, which only the local stage uses. */
const LOCAL_COOKIE = 'connect';

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';

const build = (value: string, maxAgeSeconds: number): string =>
  isPlainHttp()
    ? `${LOCAL_COOKIE}=${value}; Max-Age=${maxAgeSeconds}; ${ATTRIBUTES}`
    : `${HOST_COOKIE}=${value}; Max-Age=${maxAgeSeconds}; ${ATTRIBUTES}; Secure`;

export const buildLinkCookie = (value: string): string => build(value, CONNECT_LINK_LIMITS.sessionTotalMs / 1000);

export const noLinkCookie = (): string => build('', 0);

/** Returns the value of the cookie, or undefined if it was not sent, or with different values. */
export const readLinkCookie = (cookies: readonly string[]): string | undefined => {
  const [value, another] = readCookieValues(cookies, isPlainHttp() ? LOCAL_COOKIE : HOST_COOKIE);
  return another === undefined && value !== '' ? value : undefined;
};

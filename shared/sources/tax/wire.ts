/** Addresses and constants of the portal (tax.md §1, §2, §4.1). The data apps are in `apps.ts`. */
import { manifest } from './manifest.ts';

const { auth, apps, landing } = manifest.hosts;

export const LANDING_URL = `${landing}/cgi_misii/siihome.cgi`;
/** The query string of this address is the address to which the login leads, without a parameter name (tax.md §2.1). */
export const LOGIN_PAGE_URL = `${auth}/AUT2000/InicioAutenticacion/IngresoRutClave.html?${LANDING_URL}`;
export const LOGIN_URL = `${auth}/cgi_AUT2000/CAutInicio.cgi`;
export const LOGOUT_URL = `${auth}/cgi_AUT2000/autTermino.cgi`;
export const TOKEN_TIE_URL = `${auth}/cgi_AUT2000/AutTknData.cgi`;

export const AUTH_ORIGIN = auth;
export const APPS_ORIGIN = apps;

/**
 * The portal answers the header value `application/json` with HTTP 500 RESTEASY001530 (tax.md §3.2), so we send a
 * longer value.
 */
export const ACCEPT = 'application/json, text/plain, */*';

/**
 * Largest text of one file. A month of 100,000 documents takes about 30 MB; a worker of 512 MB holds the bytes, the
 * text and the rows.
 */
export const FILE_TEXT_BYTES_MAX = 64 * 1024 * 1024;

/** Pages of login and apps have about 100 KB. */
export const PAGE_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Largest size of an answer that is checked for "too old", because an answer that says "too old" has only some hundred
 * bytes.
 */
export const WORD_BYTES_MAX = 64 * 1024;

/**
 * The portal's own page sends this literal and the action of the method, but the portal does not check them today
 * (tax.md §4.1).
 */
export const RECAPTCHA_TOKEN = 't-o-k-e-n-web';
export const RECAPTCHA_ACTION = {
  COMPRA: { detail: 'RCV_DETC', file: 'RCV_DDETCA' },
  VENTA: { detail: 'RCV_DETV', file: 'RCV_DDETVA' },
} as const;

export type WireOperation = keyof typeof RECAPTCHA_ACTION;

/**
 * Names of the cookie that contains the token, because two clients disagree on the name; both cookies have the same
 * value (§2.2).
 */
export const TOKEN_COOKIES = ['TOKEN', 'CSESSIONID'] as const;

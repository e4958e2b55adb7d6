/** Limits of secrets that are removed from answers. The HTTP client may not import the limits of the platform. */

/**
 * Compared length of a cookie or token; only the beginning of a longer one is searched for. The usual servers accept
 * headers of 16 KB.
 */
export const SESSION_SECRET_CHARS_MAX = 4_096;
/** Cookies and tokens of one worker, which each call may renew; more are refused. */
export const SESSION_SECRETS_MAX = 2_000;
/** Short secrets that are searched for together with the name of their field; the oldest is dropped first. */
export const WEAK_SECRETS_MAX = 20;
/** This many consecutive characters of a secret count as the whole secret. */
export const SECRET_SIGNS_COMPARED = 64;

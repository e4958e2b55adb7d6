/** Limits for the secrets that are removed from answers. The HTTP client may not import the limits of the platform. */

/**
 * Number of leading characters of a cookie or token that are searched for. The usual servers accept headers of 16 KB.
 */
export const SESSION_SECRET_CHARS_MAX = 4_096;
/**
 * Largest number of cookie and token values that one worker may see, because each call may renew a value. A session
 * with more values is refused.
 */
export const SESSION_SECRETS_MAX = 2_000;
/**
 * Largest number of short secrets, which are searched for together with the name of their field. The oldest is dropped
 * first.
 */
export const WEAK_SECRETS_MAX = 20;
/** If this many consecutive characters of a secret occur, the whole secret counts as found. */
export const SECRET_SIGNS_COMPARED = 64;

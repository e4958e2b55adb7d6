/** Limits of what is taken out of answers. The HTTP client may not import those of the platform. */

/** Of a cookie or token: a longer one is looked for by its beginning. The usual servers take headers of 16 KB. */
export const SESSION_SECRET_CHARS_MAX = 4_096;
/** Cookies and tokens of one worker, renewed in each of its calls: more of them are refused. */
export const SESSION_SECRETS_MAX = 2_000;
/** Short secrets that are looked for beside the name of their field; the oldest is forgotten. */
export const WEAK_SECRETS_MAX = 20;
/** So many signs in a row of a secret are the secret. */
export const SECRET_SIGNS_COMPARED = 64;

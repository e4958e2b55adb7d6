/**
 * Decides whether a text is removed wherever it occurs, or only next to its field name because ordinary data may
 * contain the same text.
 */
import { normalizeRut } from '#shared/values/rut.ts';

/**
 * True if the text rarely occurs in ordinary data: letters mixed with digits or signs, or a long text without blanks. A
 * word, a name, a number or a RUT may occur in ordinary data.
 */
export const isDistinctive = (secret: string): boolean =>
  normalizeRut(secret) === undefined &&
  ((secret.length >= 8 && /\p{L}/u.test(secret) && /[^\p{L}\s.,'’&/()-]/u.test(secret)) ||
    (secret.length >= 20 && !/\s/.test(secret)));

const INSTANT =
  /^\d{4}-\d\d-\d\d|^\d{8}T\d|^\d\d?[-/]\d\d?[-/]\d{4}|^(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[ ,%+]/i;
const ADDRESS =
  /^[a-z][a-z\d+.-]*:\/\/|^\/[^.]*\.|^[a-z\d.-]+\.[a-z]{2,6}(?::\d{1,5})?(?:\/|$)|^[a-z\d.-]+:\d{1,5}(?:\/|$)/;

/**
 * True for a RUT, an instant, an address or a host name: cookies may contain such a value, and answers may contain the
 * same value legitimately.
 */
const isHonest = (value: string): boolean =>
  normalizeRut(value) !== undefined || INSTANT.test(value) || ADDRESS.test(value);

/** True if the value of a cookie that the manifest does not name looks like a secret. */
export const isToken = (value: string): boolean =>
  /^[\w+/=.~%!:-]{12,}$/.test(value) &&
  ((/[A-Za-z]/.test(value) && /\d/.test(value)) || value.length >= 20) &&
  !isHonest(value);

/** True if the value of a session cookie is treated as a secret: any text except a short word or number. */
export const isSessionToken = (value: string): boolean =>
  (value.length >= 16 || (value.length >= 12 && /\D/.test(value)) || (value.length >= 8 && isDistinctive(value))) &&
  !isHonest(value);

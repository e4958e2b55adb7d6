/**
 * The value of the session cookie: 13 upper-case letters and digits (tax.md §2.2). The first six are the RUT, so that
 * whoever serves the next call knows whose session it is; the rest is counted, not random: two runs of a test see the
 * same wire. It opens nothing by itself: a session must be remembered under it.
 */
import { rutCheckDigit, splitRut } from '#shared/values/rut.ts';
import { createRandom } from '../../sandbox-kit/random.ts';

const ALPHABET = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const RUT_CHARS = 6;
const REST_CHARS = 7;

export const newToken = (login: string, n: number): string => {
  const random = createRandom(`token|${login}|${n}`);
  const who = Number(splitRut(login).body).toString(ALPHABET.length).toUpperCase().padStart(RUT_CHARS, '0');
  return who + Array.from({ length: REST_CHARS }, () => random.pick(ALPHABET)).join('');
};

/** The RUT in a token that may be one of ours. */
export const loginOfToken = (token: string): string => {
  const body = String(Number.parseInt(token.slice(0, RUT_CHARS), ALPHABET.length));
  return `${body}-${rutCheckDigit(body)}`;
};

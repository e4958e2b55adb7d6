/**
 * The value of the session cookie: 13 upper-case letters and digits (tax.md §2.2). The first six encode the RUT, so
 * that the server of the next call knows the login. The rest follows from a counter and is not random, so that two runs
 * of a test see the same wire. A token is valid only while a session is stored under it.
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

/** Returns the RUT in a token of the sandbox. If the text is another token, the returned RUT has no meaning. */
export const loginOfToken = (token: string): string => {
  const body = String(Number.parseInt(token.slice(0, RUT_CHARS), ALPHABET.length));
  return `${body}-${rutCheckDigit(body)}`;
};

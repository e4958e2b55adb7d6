/** Sessions of the sandbox: ended by logout or after 600 s without a call (banks.md §3.3). */
import { normalizeRut } from '#shared/values/rut.ts';
import type { Memory } from '../../sandbox-kit/memory.ts';
import { createRandom } from '../../sandbox-kit/random.ts';
import { createSessionTable, type OpenSession, type SessionTable } from '../../sandbox-kit/sessions.ts';

export interface Session extends OpenSession {
  usedMs: number;
  /** Time of the last file request; undefined before the first file request. */
  downloadedMs: number | undefined;
}

const IDLE_MS = 600_000;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const TOKEN_LETTERS = 24;
/**
 * Characters of a RUT. A session's token begins with its RUT, in which each character is replaced by the letter at the
 * same position of `LETTERS`.
 */
const DIGITS = [...'0123456789K'];
const RUT_LETTERS = 10;
/** First character of tokens that belong to no login. It is not the letter of any digit. */
const NO_ONE = 'Z';

const lettersOf = (login: string): string =>
  [...login.replace('-', '').padStart(RUT_LETTERS, '0')].map((digit) => LETTERS[DIGITS.indexOf(digit)]).join('');

/** Returns the RUT in a token, if the token contains a RUT. */
export const loginOfToken = (token: string): string | undefined =>
  normalizeRut([...token.slice(0, RUT_LETTERS)].map((letter) => DIGITS[LETTERS.indexOf(letter)] ?? '?').join(''));

export interface Sessions extends Omit<SessionTable<Session>, 'add'> {
  open(login: string): Session;
  /** Returns a token that belongs to no login, because pages before the login also set a cookie. */
  anonymous(): string;
}

export const createSessions = (now: () => number, memory: Memory): Sessions => {
  const table = createSessionTable<Session>(memory.map('sessions'), ({ usedMs }) => now() - usedMs < IDLE_MS);
  const newToken = (begins: string): string => {
    const random = createRandom(`token|${begins}|${memory.next('tokens')}`);
    return begins + Array.from({ length: TOKEN_LETTERS - begins.length }, () => random.pick(LETTERS)).join('');
  };
  return {
    ...table,
    open: (login) => table.add({ token: newToken(lettersOf(login)), login, usedMs: now(), downloadedMs: undefined }),
    anonymous: () => newToken(NO_ONE),
    // Finds a session. The search counts as use of the session.
    find: (token) => {
      const session = table.find(token);
      if (session) session.usedMs = now();
      return session;
    },
  };
};

/** Sessions of the sandbox: ended by logout or after 600 s without a call (banks.md §3.3). */
import { normalizeRut } from '#shared/values/rut.ts';
import { keepNewest, type Memory } from '../../sandbox-kit/memory.ts';
import { createRandom } from '../../sandbox-kit/random.ts';

export interface Session {
  token: string;
  /** RUT that logged in. */
  login: string;
  usedMs: number;
  /** When a file was last asked for; undefined: never. */
  downloadedMs: number | undefined;
}

const IDLE_MS = 600_000;
const KEPT_MAX = 500;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const TOKEN_LETTERS = 24;
/** A digit of a RUT as a letter: a session's token begins with whose it is. */
const DIGITS = [...'0123456789K'];
const RUT_LETTERS = 10;
/** No digit: begins the tokens that stand for no one. */
const NO_ONE = 'Z';

const lettersOf = (login: string): string =>
  [...login.replace('-', '').padStart(RUT_LETTERS, '0')].map((digit) => LETTERS[DIGITS.indexOf(digit)]).join('');

/** The RUT in a token, if it names one. */
export const loginOfToken = (token: string): string | undefined =>
  normalizeRut([...token.slice(0, RUT_LETTERS)].map((letter) => DIGITS[LETTERS.indexOf(letter)] ?? '?').join(''));

export interface Sessions {
  open(login: string): Session;
  /** A token that stands for no one: pages before the login set a cookie, too. */
  anonymous(): string;
  /** Undefined when there is none, or none any more. Counts as a use. */
  find(token: string | undefined): Session | undefined;
  close(token: string | undefined): void;
  expireAll(login?: string): void;
  count(login: string): number;
}

export const createSessions = (now: () => number, memory: Memory): Sessions => {
  const sessions = memory.map<Session>('sessions');
  const isAlive = ({ usedMs }: Session): boolean => now() - usedMs < IDLE_MS;
  const newToken = (begins: string): string => {
    const random = createRandom(`token|${begins}|${memory.next('tokens')}`);
    return begins + Array.from({ length: TOKEN_LETTERS - begins.length }, () => random.pick(LETTERS)).join('');
  };
  return {
    open: (login) => {
      for (const old of sessions.values()) if (!isAlive(old)) sessions.delete(old.token);
      const session: Session = { token: newToken(lettersOf(login)), login, usedMs: now(), downloadedMs: undefined };
      keepNewest(sessions, session.token, session, KEPT_MAX);
      return session;
    },
    anonymous: () => newToken(NO_ONE),
    find: (token) => {
      const session = token === undefined ? undefined : sessions.get(token);
      if (!session) return undefined;
      if (!isAlive(session)) {
        sessions.delete(session.token);
        return undefined;
      }
      session.usedMs = now();
      return session;
    },
    close: (token) => {
      if (token !== undefined) sessions.delete(token);
    },
    expireAll: (login) => {
      for (const { token, login: who } of sessions.values()) {
        if (login === undefined || who === login) sessions.delete(token);
      }
    },
    count: (login) => [...sessions.values()].filter((session) => session.login === login && isAlive(session)).length,
  };
};

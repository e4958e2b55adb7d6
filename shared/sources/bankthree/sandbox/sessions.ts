/** Sessions of the sandbox: ended by logout or after 600 s without a call (banks.md §3.3). */
import { createRandom } from '../../sandbox-random.ts';

export interface Session {
  token: string;
  /** RUT that logged in. */
  login: string;
  usedMs: number;
  /** When a file was last asked for; undefined: never. */
  downloadedMs: number | undefined;
}

const IDLE_MS = 600_000;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

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

export const createSessions = (now: () => number): Sessions => {
  const sessions = new Map<string, Session>();
  let made = 0;
  const isAlive = ({ usedMs }: Session): boolean => now() - usedMs < IDLE_MS;
  const newToken = (): string => {
    const random = createRandom(`token|${++made}`);
    return Array.from({ length: 24 }, () => random.pick(LETTERS)).join('');
  };
  return {
    open: (login) => {
      const session: Session = { token: newToken(), login, usedMs: now(), downloadedMs: undefined };
      sessions.set(session.token, session);
      return session;
    },
    anonymous: newToken,
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

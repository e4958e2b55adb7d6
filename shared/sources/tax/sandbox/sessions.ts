/** Sessions of the sandbox: capped per RUT, ended by logout or after two hours (tax.md §2.2, §2.4). */
import { keepNewest, type Memory } from '../../sandbox-kit/memory.ts';
import { newToken } from './session-token.ts';

export interface Session {
  token: string;
  /** RUT that logged in. */
  login: string;
  openedMs: number;
  /** The app's own start was made (tax.md §2.5, step 4). */
  isAppStarted: boolean;
}

const LIFE_MS = 2 * 3_600_000;
const KEPT_MAX = 500;

export interface Sessions {
  /** Undefined when the RUT has no place left. `extra`: places taken by stale cookies sent with the login. */
  open(login: string, cap: number, extra: number): Session | undefined;
  find(token: string | undefined): Session | undefined;
  close(token: string | undefined): void;
  expireAll(login?: string): void;
  count(login: string): number;
}

export const createSessions = (now: () => number, memory: Memory): Sessions => {
  const sessions = memory.map<Session>('sessions');
  const isAlive = (session: Session): boolean => now() - session.openedMs < LIFE_MS;
  const ofLogin = (login: string) => [...sessions.values()].filter((s) => s.login === login && isAlive(s));

  return {
    open: (login, cap, extra) => {
      if (ofLogin(login).length + extra >= cap) return undefined;
      for (const session of sessions.values()) if (!isAlive(session)) sessions.delete(session.token);
      const token = newToken(login, memory.next(`sessions of ${login}`));
      const session: Session = { token, login, openedMs: now(), isAppStarted: false };
      keepNewest(sessions, token, session, KEPT_MAX);
      return session;
    },
    find: (token) => {
      const session = token === undefined ? undefined : sessions.get(token);
      return session && isAlive(session) ? session : undefined;
    },
    close: (token) => {
      if (token !== undefined) sessions.delete(token);
    },
    expireAll: (login) => {
      for (const session of sessions.values()) {
        if (login === undefined || session.login === login) sessions.delete(session.token);
      }
    },
    count: (login) => ofLogin(login).length,
  };
};

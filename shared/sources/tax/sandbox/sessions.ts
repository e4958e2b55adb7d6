/** Sessions of the sandbox: capped per RUT, ended by logout or after two hours (tax.md §2.2, §2.4). */
export interface Session {
  token: string;
  /** RUT that logged in. */
  login: string;
  openedMs: number;
  /** The app's own start was made (tax.md §2.5, step 4). */
  isAppStarted: boolean;
}

const LIFE_MS = 2 * 3_600_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export interface Sessions {
  /** Undefined when the RUT has no place left. `extra`: places taken by stale cookies sent with the login. */
  open(login: string, cap: number, extra: number): Session | undefined;
  find(token: string | undefined): Session | undefined;
  close(token: string | undefined): void;
  expireAll(login?: string): void;
  count(login: string): number;
}

export const createSessions = (now: () => number): Sessions => {
  const sessions = new Map<string, Session>();
  let opened = 0;
  const isAlive = (session: Session): boolean => now() - session.openedMs < LIFE_MS;
  const ofLogin = (login: string) => [...sessions.values()].filter((s) => s.login === login && isAlive(s));

  /** 13 upper-case letters and digits; counted, not random, so that two runs of a test see the same wire. */
  const newToken = (): string => {
    let n = ++opened * 2_654_435_761;
    let token = '';
    for (let i = 0; i < 13; i++) {
      token += ALPHABET[n % 36];
      n = Math.floor(n / 36) + opened * 97 + i * 7919;
    }
    return token;
  };

  return {
    open: (login, cap, extra) => {
      if (ofLogin(login).length + extra >= cap) return undefined;
      const session: Session = { token: newToken(), login, openedMs: now(), isAppStarted: false };
      sessions.set(session.token, session);
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

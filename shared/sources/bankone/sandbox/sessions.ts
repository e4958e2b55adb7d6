/** Sessions of the portal: one per user, 300 s idle, 5,400 s in all (banks.md §3.1). */
import type { Memory } from '../../sandbox-kit/memory.ts';

export interface Session {
  token: string;
  login: string;
  openedMs: number;
  usedMs: number;
  /** RUT of the selected company. */
  company: string;
  xsrf: string;
  isBusy: boolean;
  /** Calls begun: the place belongs to the last one. */
  turns: number;
  /** Times of its calls of the last minute. */
  calls: number[];
}

/** The login that a session's token names. */
export const loginOfToken = (token: string): string => /^bankone-session-(.+)-\d+$/.exec(token)?.[1] ?? '';

const IDLE_MS = 300_000;
const LIFE_MS = 5_400_000;

export interface Sessions {
  /** Ends an older session of the same user. */
  open(login: string, company: string): Session;
  find(token: string | undefined): Session | undefined;
  renewXsrf(session: Session): string;
  close(token: string): void;
  expireAll(login?: string): void;
  count(login: string): number;
}

export const createSessions = (now: () => number, memory: Memory): Sessions => {
  const sessions = memory.map<Session>('sessions');
  const isAlive = ({ openedMs, usedMs }: Session): boolean => now() - openedMs < LIFE_MS && now() - usedMs < IDLE_MS;
  const expireAll = (login?: string): void => {
    for (const session of sessions.values())
      if (login === undefined || session.login === login) sessions.delete(session.token);
  };
  /** Holds characters that the cookie encodes: whoever sends it back as it stands there is refused. */
  const newXsrf = (): string => `x${memory.next('xsrf')}+/=`;

  return {
    open: (login, company) => {
      expireAll(login);
      // Counted, not random, so that two runs of a test see the same wire; and it names whose it is.
      const token = `bankone-session-${login}-${String(memory.next('sessions')).padStart(6, '0')}`;
      const session: Session = {
        token,
        login,
        openedMs: now(),
        usedMs: now(),
        company,
        xsrf: newXsrf(),
        isBusy: false,
        turns: 0,
        calls: [],
      };
      sessions.set(token, session);
      return session;
    },
    find: (token) => {
      const session = token === undefined ? undefined : sessions.get(token);
      return session && isAlive(session) ? session : undefined;
    },
    renewXsrf: (session) => {
      session.xsrf = newXsrf();
      return session.xsrf;
    },
    close: (token) => void sessions.delete(token),
    expireAll,
    count: (login) => [...sessions.values()].filter((session) => session.login === login && isAlive(session)).length,
  };
};

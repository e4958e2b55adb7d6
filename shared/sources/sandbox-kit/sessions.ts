/** Sessions or tokens that an institution opened. A session ends by time, by logout, or by a control endpoint. */
import { keepNewest } from './memory.ts';

export interface OpenSession {
  token: string;
  login: string;
}

export interface SessionTable<Session extends OpenSession> {
  add(session: Session): Session;
  find(token: string | undefined): Session | undefined;
  close(token: string | undefined): void;
  expireAll(login?: string): void;
  count(login: string): number;
}

const KEPT_MAX = 500;

export const createSessionTable = <Session extends OpenSession>(
  sessions: Map<string, Session>,
  isAlive: (session: Session) => boolean,
): SessionTable<Session> => ({
  add: (session) => {
    for (const old of sessions.values()) if (!isAlive(old)) sessions.delete(old.token);
    keepNewest(sessions, session.token, session, KEPT_MAX);
    return session;
  },
  find: (token = '') => {
    const session = sessions.get(token);
    if (session && isAlive(session)) return session;
    sessions.delete(token);
    return undefined;
  },
  close: (token = '') => void sessions.delete(token),
  expireAll: (login) => {
    for (const session of sessions.values())
      if (login === undefined || session.login === login) sessions.delete(session.token);
  },
  count: (login) => [...sessions.values()].filter((session) => session.login === login && isAlive(session)).length,
});

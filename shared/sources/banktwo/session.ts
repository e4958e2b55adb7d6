/** A session is a token. It is kept as plain JSON for the worker that goes on with it. */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import { sessionUser } from '../parsing/session.ts';
import { manifest } from './manifest.ts';

export interface Token {
  accessToken: string;
  /** When a new one is due; null when the bank did not say how long it lives. */
  renewAtMs: number | null;
}

export interface OpenSession {
  http: HttpClient;
  token: Token | undefined;
  /** The bank said by its headers that this minute's requests are used up. */
  pausedUntilMs: number;
  /** Writes what changed back into the session: it may be kept while the work goes on. */
  save(): void;
}

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export const { withSession, beginSession } = sessionUser((session, io): OpenSession => {
  const { accessToken } = session;
  const open: OpenSession = {
    http: createHttpClient({ hosts: manifest.hosts, io }),
    token: typeof accessToken === 'string' ? { accessToken, renewAtMs: number(session.renewAtMs) ?? null } : undefined,
    pausedUntilMs: number(session.pausedUntilMs) ?? 0,
    save: () => {
      Object.assign(session, { ...open.token, pausedUntilMs: open.pausedUntilMs });
    },
  };
  return open;
});

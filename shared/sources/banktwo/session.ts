/** A session is a token. It is stored as plain JSON for the next worker. */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import { sessionUser } from '../parsing/session.ts';
import { manifest } from './manifest.ts';

export interface Token {
  accessToken: string;
  /** Time at which the adapter requests a new token; null when the bank did not report a lifetime. */
  renewAtMs: number | null;
}

export interface OpenSession {
  http: HttpClient;
  token: Token | undefined;
  /** Time until which the bank accepts no further requests, according to its headers. */
  pausedUntilMs: number;
  /** Writes changes back into the session. The session may be stored while the work continues. */
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

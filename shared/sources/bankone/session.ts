/** A session as plain JSON (cookies, the selected company) and the client that works with it. */
import type { HttpClient } from '../http/client.ts';
import { openClient, sessionUser } from '../parsing/session.ts';
import { manifest } from './manifest.ts';
import { SESSION_COOKIE, XSRF_COOKIE } from './wire.ts';

export interface OpenSession {
  http: HttpClient;
  isLoggedIn(): boolean;
  /** Header that every POST after the login carries: it may have been renewed in the last answer (banks.md §3.1). */
  xsrf(): Record<string, string>;
  /** Writes cookies and call times back into the session, for the worker that goes on with it. */
  save(): void;
}

/** The cookie is URL-encoded, the header is not. One that cannot be decoded is sent as it is, and refused. */
const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};

export const { withSession, beginSession, endSession } = sessionUser((session, io): OpenSession => {
  const client = openClient(session, io, manifest.hosts);
  const { cookies } = client.http;
  return {
    ...client,
    isLoggedIn: () => cookies.value(SESSION_COOKIE) !== undefined,
    xsrf: () => {
      const token = cookies.value(XSRF_COOKIE);
      return token === undefined ? {} : { 'x-xsrf-token': decoded(token) };
    },
  };
});

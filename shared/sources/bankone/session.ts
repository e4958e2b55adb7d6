/** A session as plain JSON (cookies, selected company), and the client that uses the session. */
import type { HttpClient } from '../http/client.ts';
import { openClient, sessionUser } from '../parsing/session.ts';
import { manifest } from './manifest.ts';
import { SESSION_COOKIE, XSRF_COOKIE } from './wire.ts';

export interface OpenSession {
  http: HttpClient;
  isLoggedIn(): boolean;
  /** Header of every POST after the login; the last answer may have renewed its value (banks.md §3.1). */
  xsrf(): Record<string, string>;
  /** Writes cookies and call times back into the session, for the next worker. */
  save(): void;
}

/**
 * Decodes the cookie's token for the header, because the cookie is URL-encoded and the header is not. A value that
 * cannot be decoded is sent unchanged, and the bank refuses it.
 */
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

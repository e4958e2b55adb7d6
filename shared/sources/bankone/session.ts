/** A session as plain JSON (cookies, times of its calls, the selected company) and the client that works with it. */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import type { JsonObject, SourceIo } from '../source.ts';
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

export const openSession = (session: JsonObject, io: SourceIo): OpenSession => {
  const calls = Array.isArray(session.calls) ? session.calls.filter((call) => typeof call === 'number') : [];
  const saved = session.cookies as JsonObject | undefined;
  const http = createHttpClient({ hosts: manifest.hosts, io, cookies: saved, calls });
  return {
    http,
    isLoggedIn: () => http.cookies.value(SESSION_COOKIE) !== undefined,
    xsrf: () => {
      const token = http.cookies.value(XSRF_COOKIE);
      return token === undefined ? {} : { 'x-xsrf-token': decoded(token) };
    },
    save: () => {
      session.cookies = http.cookies.toJson();
      session.calls = [...calls];
    },
  };
};

/** Opens the session for one piece of work and closes its connections afterwards. */
export const withSession = async <Result>(
  session: JsonObject,
  io: SourceIo,
  work: (open: OpenSession) => Promise<Result>,
): Promise<Result> => {
  const open = openSession(session, io);
  try {
    return await work(open);
  } finally {
    open.save();
    await open.http.close();
  }
};

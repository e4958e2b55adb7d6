/** A session as plain JSON (cookies and the times of its calls) and the client that works with it. */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import { type JsonObject, SessionExpired, type SourceIo } from '../source.ts';
import { manifest } from './manifest.ts';
import { TOKEN_COOKIES } from './wire.ts';

export interface OpenSession {
  http: HttpClient;
  /** Value of the session cookie, which is also the `conversationId` of every data call. */
  token(): string | undefined;
  /** Writes cookies and call times back into the session, for the worker that goes on with it. */
  save(): void;
}

export const openSession = (session: JsonObject, io: SourceIo): OpenSession => {
  const calls = Array.isArray(session.calls) ? session.calls.filter((call) => typeof call === 'number') : [];
  const saved = session.cookies as JsonObject | undefined;
  const http = createHttpClient({ hosts: manifest.hosts, io, cookies: saved, calls });
  return {
    http,
    token: () => TOKEN_COOKIES.map((name) => http.cookies.value(name)).find((value) => value !== undefined),
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

export const requireToken = (open: OpenSession): string => {
  const token = open.token();
  if (token === undefined) throw new SessionExpired('the session has no token');
  return token;
};

/** A session as plain JSON (cookies, call times, the company it was seen to show) and the client that works with it. */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import type { JsonObject, SourceIo } from '../source.ts';
import { manifest } from './manifest.ts';

export interface OpenSession {
  http: HttpClient;
  /** RUT of the company that a statement of this session named. */
  company(): string | undefined;
  seeCompany(rut: string): void;
}

/** Opens the session for one piece of work, writes it back and closes its connections afterwards. */
export const withSession = async <Result>(
  session: JsonObject,
  io: SourceIo,
  work: (open: OpenSession) => Promise<Result>,
): Promise<Result> => {
  const calls = Array.isArray(session.calls) ? session.calls.filter((call) => typeof call === 'number') : [];
  const saved = session.cookies as JsonObject | undefined;
  const http = createHttpClient({ hosts: manifest.hosts, io, cookies: saved, calls });
  try {
    return await work({
      http,
      company: () => (typeof session.company === 'string' ? session.company : undefined),
      seeCompany: (rut) => {
        session.company = rut;
      },
    });
  } finally {
    session.cookies = http.cookies.toJson();
    session.calls = [...calls];
    await http.close();
  }
};

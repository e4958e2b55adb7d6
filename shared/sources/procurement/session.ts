/**
 * A session as plain JSON. The portal knows none: it holds the cookies of the web side and the times of the calls of
 * both wires, which are paced apart (procurement.md §1).
 */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import type { JsonObject, SourceIo } from '../source.ts';
import { manifest } from './manifest.ts';

export interface OpenSession {
  api: HttpClient;
  web: HttpClient;
  /** The API answered this ticket with data: calls with it are no logins any more. */
  isTicketAccepted: boolean;
}

const timesIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((time) => typeof time === 'number') : [];

interface Held extends OpenSession {
  /** Writes the session back and closes its connections. */
  close(): Promise<void>;
}

/** For work that hands things over while the session is open; whoever opens it closes it. */
export const holdSession = (session: JsonObject, io: SourceIo): Held => {
  const apiCalls = timesIn(session.apiCalls);
  const webCalls = timesIn(session.webCalls);
  const { hosts } = manifest;
  const api = createHttpClient({ hosts, io, calls: apiCalls });
  const web = createHttpClient({ hosts, io, calls: webCalls, cookies: session.cookies as JsonObject | undefined });
  const held: Held = {
    api,
    web,
    isTicketAccepted: session.isTicketAccepted === true,
    close: async () => {
      session.isTicketAccepted = held.isTicketAccepted;
      session.apiCalls = [...apiCalls];
      session.webCalls = [...webCalls];
      session.cookies = web.cookies.toJson();
      await Promise.all([api.close(), web.close()]);
    },
  };
  return held;
};

/** Opens the session for one piece of work. */
export const withSession = async <Result>(
  session: JsonObject,
  io: SourceIo,
  work: (open: OpenSession) => Promise<Result>,
): Promise<Result> => {
  const held = holdSession(session, io);
  try {
    return await work(held);
  } finally {
    await held.close();
  }
};

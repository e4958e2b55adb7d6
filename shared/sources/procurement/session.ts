/**
 * A session as plain JSON. The portal knows none: it holds the cookies of the web side. Both wires are paced apart
 * (procurement.md §1).
 */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import { openClient, sessionUser } from '../parsing/session.ts';
import type { JsonObject, SourceIo } from '../source.ts';
import { manifest } from './manifest.ts';

export interface OpenSession {
  api: HttpClient;
  web: HttpClient;
  /** The API answered this ticket with data: calls with it are no logins any more. */
  isTicketAccepted: boolean;
}

interface Held extends OpenSession {
  save(): void;
  /** Both wires. */
  http: Pick<HttpClient, 'close'>;
}

/** For work that hands things over while the session is open; whoever opens it closes it (`closeSession`). */
export const holdSession = (session: JsonObject, io: SourceIo): Held => {
  const { http: web, save } = openClient(session, io, manifest.hosts, 'web');
  const api = createHttpClient({ hosts: manifest.hosts, io, wire: 'api' });
  const held: Held = {
    api,
    web,
    isTicketAccepted: session.isTicketAccepted === true,
    save: () => {
      session.isTicketAccepted = held.isTicketAccepted;
      save();
    },
    http: { close: async () => void (await Promise.all([api.close(), web.close()])) },
  };
  return held;
};

export const { withSession, beginSession } = sessionUser(holdSession);

/**
 * A session as plain JSON. The portal has no session: the JSON holds the cookies of the web side. Each wire has its own
 * pace (procurement.md §1).
 */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import { openClient, sessionUser } from '../parsing/session.ts';
import type { JsonObject, SourceIo } from '../source.ts';
import { manifest } from './manifest.ts';

export interface OpenSession {
  api: HttpClient;
  web: HttpClient;
  /** The API has answered this ticket with data, so further calls with it do not count as logins. */
  isTicketAccepted: boolean;
}

interface Held extends OpenSession {
  save(): void;
  /** Client of both wires. */
  http: Pick<HttpClient, 'close'>;
}

/** For tasks that return data while the session is open; the caller closes it (`closeSession`). */
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

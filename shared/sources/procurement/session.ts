/**
 * The session of this source as plain JSON. The API has no session, so the JSON contains only the cookies of the web
 * side. API and web side have separate paces (procurement.md §1).
 */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import { openClient, sessionUser } from '../parsing/session.ts';
import type { JsonObject, SourceIo } from '../source.ts';
import { manifest } from './manifest.ts';

export interface OpenSession {
  api: HttpClient;
  web: HttpClient;
  /** True after the API has returned data for this ticket, so further calls with the ticket do not count as logins. */
  isTicketAccepted: boolean;
}

interface Held extends OpenSession {
  save(): void;
  /** HTTP client for both the API and the web side. */
  http: Pick<HttpClient, 'close'>;
}

/**
 * Opens a session for a task that returns data while the session is open; the caller closes the session
 * (`closeSession`).
 */
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

/**
 * A session as plain JSON (cookies, call times, the company that the session showed), and the client that uses the
 * session.
 */
import type { HttpClient } from '../http/client.ts';
import { openClient, sessionUser } from '../parsing/session.ts';
import { manifest } from './manifest.ts';

export interface OpenSession {
  http: HttpClient;
  /** RUT of the company that a statement of this session named. */
  company(): string | undefined;
  seeCompany(rut: string): void;
  save(): void;
}

export const { withSession, beginSession, endSession } = sessionUser(
  (session, io): OpenSession => ({
    ...openClient(session, io, manifest.hosts),
    company: () => (typeof session.company === 'string' ? session.company : undefined),
    seeCompany: (rut) => {
      session.company = rut;
    },
  }),
);

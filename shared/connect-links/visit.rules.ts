/**
 * A visit: what one customer does with a link. A link for one connection or repair has one visit, a standing link has
 * one for each reference. Pure.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { connectionId, organizationId } from '#shared/values/ids.ts';
import { CONNECT_LINK_LIMITS } from './limits.ts';

export const LinkVisitSchema = z.object({
  organizationId: organizationId(),
  linkId: z.string(),
  reference: z.string().nullable(),
  /** SHA-256 of the newest session's cookie. A newer session ends the older one. Null if no session is open. */
  sessionSha256: z.string().nullable(),
  sessionStartedAt: z.string(),
  /** Time of the session's last request, to the minute. */
  lastUsedAt: z.string(),
  /** The connection that this customer made or repairs. Null before the first credentials of a new connection. */
  connectionId: connectionId().nullable(),
  /** The sync that tries the newest credentials. Null before the first. */
  runId: z.string().nullable(),
  submissions: z.number(),
  /** Version of the connection's credentials that this customer wrote last. Null before. */
  credentialsVersion: z.number().nullable(),
});
export interface LinkVisit extends z.infer<typeof LinkVisitSchema> {}

const SESSION_NAME_CHARS = 16;

/** Name of a visit in its key. A reference may be any text, so its hash is used. */
export const visitName = (reference: string | null): string =>
  reference === null ? '-' : createHash('sha256').update(reference).digest('hex');

/**
 * Returns when the session ends if no other request uses it. The time of the last request is known to the minute, so the
 * session lasts up to a minute longer.
 */
export const sessionEnd = ({
  sessionStartedAt,
  lastUsedAt,
}: Pick<LinkVisit, 'sessionStartedAt' | 'lastUsedAt'>): string => {
  const { sessionMs, sessionRenewMs, sessionTotalMs } = CONNECT_LINK_LIMITS;
  return new Date(
    Math.min(Date.parse(lastUsedAt) + sessionMs + sessionRenewMs, Date.parse(sessionStartedAt) + sessionTotalMs),
  ).toISOString();
};

/** Name of a session, which its page sends with each request. It does not reveal the cookie. */
export const sessionName = ({ sessionSha256 }: Pick<LinkVisit, 'sessionSha256'>): string =>
  (sessionSha256 ?? '').slice(0, SESSION_NAME_CHARS);

export const isStampDue = ({ lastUsedAt }: Pick<LinkVisit, 'lastUsedAt'>, nowMs: number): boolean =>
  nowMs - Date.parse(lastUsedAt) >= CONNECT_LINK_LIMITS.sessionRenewMs;

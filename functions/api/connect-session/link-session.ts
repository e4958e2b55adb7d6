/** The session of a link, as the endpoints for its page read it. */
import { tokenHash } from '#shared/auth/token.store.ts';
import type { LinkSession } from '#shared/connect-links/connect.ts';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import { deriveLinkStatus } from '#shared/connect-links/link.rules.ts';
import { find as findLink } from '#shared/connect-links/link.store.ts';
import { readLinkCookie } from '#shared/connect-links/link-cookie.ts';
import type { Verdict } from '#shared/connect-links/verdict.rules.ts';
import { type LinkVisit, sessionEnd, sessionName } from '#shared/connect-links/visit.rules.ts';
import * as visits from '#shared/connect-links/visit.store.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { listLoginSharers } from '#shared/connections/connection-index.store.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { toConnectSession } from '#shared/http/views/connect-link.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { addLogFields } from '#shared/platform/log-context.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';

/**
 * The one answer for an expired, used, cancelled, foreign and unknown link or session, so that nobody learns which links
 * there are.
 */
export const linkEnded = (): ApiError =>
  new ApiError('connect_link_ended', 'This link does not work, or no longer. Ask for a new one.', {
    headers: { 'cache-control': 'no-store' },
  });

/**
 * Returns the session of the cookie, and renews it. A session sees the verdict of a link that was used in it.
 *
 * @param named the session that the page shows. A browser has one cookie, so another page may have opened another link
 *   in the meantime, and what a customer typed for one link must never reach another
 * @throws ApiError 410
 */
export const requireSession = async (cookies: readonly string[], named?: string): Promise<LinkSession> => {
  const cookie = readLinkCookie(cookies);
  const visit = cookie === undefined ? undefined : await visits.findBySession(tokenHash(cookie));
  const link = visit && (await findLink(visit.organizationId, visit.linkId));
  if (!visit || !link || (named !== undefined && named !== sessionName(visit))) throw linkEnded();
  if (deriveLinkStatus(link, false, nowMs()) !== 'open') throw linkEnded();
  addLogFields({ organization_id: link.organizationId, connection_id: visit.connectionId ?? undefined });
  return { link, visit: await visits.stampUse(visit) };
};

/** Returns the connection of the visit, or undefined before there is one. */
const connectionOf = async ({ organizationId, connectionId }: LinkVisit): Promise<Connection | undefined> => {
  if (connectionId === null) return undefined;
  const connection = await connections.find(organizationId, connectionId);
  if (!connection || connection.status === 'disabled') throw linkEnded();
  return connection;
};

/** Only a person who knows the password may learn that the login is connected elsewhere. */
const isConnectedTwice = async (connection: Connection | undefined, { state }: Verdict): Promise<boolean> =>
  state === 'accepted' && connection !== undefined && (await listLoginSharers(connection)).length > 0;

export const showSession = async ({ link, visit }: LinkSession, verdict: Verdict) => {
  const connection = await connectionOf(visit);
  return {
    data: toConnectSession(link, {
      sessionId: sessionName(visit),
      manifest: requireManifest(link.source),
      scopes: connection?.enabledScopes ?? link.enabledScopes,
      verdict,
      triesLeft: CONNECT_LINK_LIMITS.submissionsMax - visit.submissions,
      expiresAt: sessionEnd(visit),
      isConnectedTwice: await isConnectedTwice(connection, verdict),
    }),
  };
};

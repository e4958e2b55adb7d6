/**
 * Stores visits and their sessions. The cookie of a session is found by its hash; the session counts only while the
 * visit still names this hash, so a newer session ends the older one with the write that opens it.
 */
import * as z from 'zod';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { item } from '#shared/table/item.ts';
import type { Key } from '#shared/table/keys.ts';
import { linkKeys } from '#shared/table/link-keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import { AppError } from '#shared/values/app-error.ts';
import { type OrganizationId, organizationId } from '#shared/values/ids.ts';
import { CONNECT_LINK_LIMITS } from './limits.ts';
import type { ConnectLink } from './link.rules.ts';
import { withRemoval } from './link-item.ts';
import { isStampDue, type LinkVisit, LinkVisitSchema, sessionEnd, visitName } from './visit.rules.ts';

export const visitItem = item('connect visit', LinkVisitSchema, {
  absent: ['reference', 'sessionSha256', 'connectionId', 'runId', 'credentialsVersion'],
});
export const linkSessionItem = item(
  'connect session',
  z.object({ organizationId: organizationId(), linkId: z.string(), reference: z.string().nullable() }),
  { absent: ['reference'] },
);

/** The link or the session ended, or credentials were sent, since the visit was read. */
export class VisitOver extends AppError {}

type VisitName = Pick<LinkVisit, 'organizationId' | 'linkId' | 'reference'>;

export const visitKey = ({ organizationId, linkId, reference }: VisitName): Key =>
  linkKeys.linkVisit(organizationId, linkId, visitName(reference));

export const find = async (
  organizationId: OrganizationId,
  linkId: string,
  reference: string | null,
): Promise<LinkVisit | undefined> => {
  const found = await table.get(visitKey({ organizationId, linkId, reference }), { consistent: true });
  return found && visitItem.fromItem(found);
};

/** Opens a session, and ends the visit's older one. */
export const openSession = async (
  link: ConnectLink,
  reference: string | null,
  sessionSha256: string,
): Promise<void> => {
  const { organizationId, id: linkId } = link;
  const visit = { organizationId, linkId, reference };
  const at = nowIso();
  // Attributes of an earlier session of this visit stay: its connection, its run and its submissions.
  const opened = visitItem.toChanges({
    ...{ ...visit, sessionSha256, sessionStartedAt: at, lastUsedAt: at },
    ...(link.kind === 'repair' ? { connectionId: link.connectionId } : {}),
  });
  await table.transact([
    { update: visitKey(visit), set: { ...opened, ...withRemoval(link) }, add: { submissions: 0 } },
    {
      put: {
        ...linkKeys.linkSession(sessionSha256),
        ...linkSessionItem.toItem(visit),
        ...expiresIn(CONNECT_LINK_LIMITS.sessionTotalMs / 1000),
      },
    },
  ]);
};

/** Returns the visit of a session's cookie while the session counts. */
export const findBySession = async (sessionSha256: string): Promise<LinkVisit | undefined> => {
  const pointer = await table.get(linkKeys.linkSession(sessionSha256), { consistent: true });
  if (!pointer) return undefined;
  const { organizationId, linkId, reference } = linkSessionItem.fromItem(pointer);
  const visit = await find(organizationId, linkId, reference);
  const isOpen = visit?.sessionSha256 === sessionSha256 && Date.parse(sessionEnd(visit)) > nowMs();
  return isOpen ? visit : undefined;
};

const ignoreRefused = (error: unknown): void => {
  if (!(error instanceof ConditionRefused)) throw error;
};

/**
 * Renews the session, at most once a minute. Endpoints that read may write only this attribute, so the write has no
 * condition on the session: it does no harm to a newer one.
 */
export const stampUse = async (visit: LinkVisit): Promise<LinkVisit> => {
  if (!isStampDue(visit, nowMs())) return visit;
  const used = { lastUsedAt: nowIso() };
  try {
    // A transaction returns no attributes, which the permission to stamp would not allow.
    await table.transact([{ update: visitKey(visit), set: visitItem.toChanges(used), if: 'attribute_exists(pk)' }]);
  } catch (error) {
    // A lost stamp does no harm, so its failure must not refuse the request.
    log.warn('the use of a session of a link was not recorded', describeError(error));
    return visit;
  }
  return { ...visit, ...used };
};

/**
 * Counts credentials that were refused before the institution saw them. Returns false if another request counted at the
 * same time: each answer about credentials must cost one of the tries.
 */
export const countRefused = async ({ sessionSha256, submissions, ...visit }: LinkVisit): Promise<boolean> => {
  const isSame = '#session_sha256 = :session AND #submissions = :submissions';
  const values = { session: sessionSha256, submissions };
  try {
    await table.update(visitKey(visit), { add: { submissions: 1 }, if: isSame, values });
    return true;
  } catch (error) {
    ignoreRefused(error);
    return false;
  }
};

export const closeSession = async (visit: LinkVisit): Promise<void> => {
  const isSame = { if: '#session_sha256 = :session', values: { session: visit.sessionSha256 } };
  await table.update(visitKey(visit), { remove: ['session_sha256'], ...isSame }).catch(ignoreRefused);
};

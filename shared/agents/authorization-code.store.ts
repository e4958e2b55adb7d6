/**
 * Authorization codes, stored by their hash. A code is created together with its grant and spent when it is exchanged
 * for tokens.
 */

import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import type { Cause, RequestSource } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import { tokenHash } from '#shared/auth/token.store.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { type Code, CodeSchema, type Grant } from './grant.rules.ts';
import { GrantConflict, moveGrant, putGrant } from './grant.store.ts';
import type { IssuedItems } from './issued-items.store.ts';

const DAY_SECONDS = 86_400;

export const codeItem = item('authorization code', CodeSchema, { absent: ['usedBy'] });

export const findCode = async (code: string): Promise<Code | undefined> => {
  const found = await table.get(keys.authorizationCode(tokenHash(code)), { consistent: true });
  return found && codeItem.fromItem(found);
};

/**
 * Returns the number of consents that the organization ever gave. The caller reads this number before it counts the
 * grants, and passes it to `putConsent`.
 */
export const countConsents = async (organizationId: OrganizationId): Promise<number> => {
  const found = await table.get(keys.consentCount(organizationId), { consistent: true });
  return Number(found?.count ?? 0);
};

/**
 * Stores a consent: the grant, which is not visible yet, and its code.
 * @param before number of consents before the grants were counted
 * @throws GrantConflict if another consent was given in the meantime
 */
export const putConsent = async (
  { grant, before }: { grant: Grant; before: number },
  { code, record }: { code: string; record: Code },
  cause: Cause,
): Promise<void> => {
  const { organizationId, id: targetId } = grant;
  const spent = expiresIn(AGENT_LIMITS.spentCodeDays * DAY_SECONDS);
  await audit.commit(
    [
      putGrant(grant),
      {
        put: { ...keys.authorizationCode(tokenHash(code)), ...codeItem.toItem(record), ...spent },
        if: 'attribute_not_exists(pk)',
      },
      {
        update: keys.consentCount(organizationId),
        add: { count: 1 },
        ...(before === 0 ? { if: 'attribute_not_exists(#count)' } : { if: '#count = :before', values: { before } }),
        otherwise: () => new GrantConflict(),
      },
    ],
    audit.newEvent({ organizationId, action: 'grant.created', targetId }, cause),
  );
};

/**
 * Spends the code, starts the grant and stores the grant's first tokens, all or nothing.
 * @throws GrantConflict if the code was spent or has expired, or the grant ended in the meantime
 */
export const redeem = async (
  { code, requestId, grant }: { code: string; requestId: string; grant: Grant },
  issued: IssuedItems,
  source: RequestSource | null,
): Promise<void> => {
  const { organizationId, id } = grant;
  const redeemed = { organizationId, action: 'grant.redeemed', targetId: id } as const;
  await audit.commit(
    [
      {
        update: keys.authorizationCode(tokenHash(code)),
        set: codeItem.toChanges({ usedBy: requestId }),
        if: 'attribute_not_exists(#used_by) AND #expires_at > :now',
        values: { now: nowIso() },
        otherwise: () => new GrantConflict(),
      },
      moveGrant(grant, { generation: 1, siblings: 0, rotatedAt: null }),
      ...issued,
    ],
    audit.newEvent(redeemed, { author: { kind: 'application', id }, source }),
  );
};

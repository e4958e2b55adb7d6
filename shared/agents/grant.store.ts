/**
 * Grants: one item that every token of theirs hangs on. Revoking it is one write, and counts from the next request on; a
 * grant that is not there any more holds nothing either.
 */

import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { nowSeconds } from '#shared/platform/clock.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresAt, expiresIn, isExpired } from '#shared/table/ttl.ts';
import { VersionConflict } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { type Grant, GrantSchema, isRedeemed, type Revocation } from './grant.rules.ts';
import type { GrantStep } from './refresh.rules.ts';

const DAY_SECONDS = 86_400;

export const grantItem = item('grant', GrantSchema, {
  absent: ['publisher', 'rotatedAt', 'lastUsedAt', 'revokedAt', 'revokedFor'],
});

/** Another request changed the grant: read again and decide anew. */
export class GrantConflict extends VersionConflict {}

/** Consistent: a revocation counts from the next request on. */
export const find = async (organizationId: OrganizationId, id: string): Promise<Grant | undefined> => {
  const found = await table.get(keys.grant(organizationId, id), { consistent: true });
  return found && grantItem.fromItem(found);
};

/** Newest first, those included whose code was not redeemed yet. */
export const list = async (organizationId: OrganizationId): Promise<Grant[]> => {
  const { pk, prefix } = keys.grants(organizationId);
  const found = await table.query(pk, { prefix, descending: true });
  return found.filter((each) => !isExpired(each)).map(grantItem.fromItem);
};

/** One whose code nobody redeems is gone in a day. */
export const putGrant = (grant: Grant): table.TransactItem => ({
  put: {
    ...keys.grant(grant.organizationId, grant.id),
    ...grantItem.toItem(grant),
    ...(isRedeemed(grant) ? expiresAt(grant.expiresAt) : expiresIn(AGENT_LIMITS.spentCodeDays * DAY_SECONDS)),
  },
  if: 'attribute_not_exists(pk)',
});

/** The grant becomes what `step` says, if it is still as it was read, and holds. */
export const moveGrant = (grant: Grant, step: GrantStep): table.TransactItem => ({
  update: keys.grant(grant.organizationId, grant.id),
  set: { ...grantItem.toChanges(step), ...expiresAt(grant.expiresAt) },
  if: '#generation = :generation AND #siblings = :siblings AND attribute_not_exists(#revoked_at)',
  values: { generation: grant.generation, siblings: grant.siblings },
  otherwise: () => new GrantConflict(),
});

/**
 * Ends the grant and with it every token, for good. One that ended already stays as it is.
 * @returns the grant as it is now, and whether this call ended it; undefined where there is none
 */
export const revoke = async (
  organizationId: OrganizationId,
  id: string,
  { at, reason }: { at: string; reason: Revocation },
): Promise<{ grant: Grant; isEnded: boolean } | undefined> => {
  const keptUntil = nowSeconds() + AGENT_LIMITS.revokedGrantDays * DAY_SECONDS;
  try {
    const revoked = await table.update(keys.grant(organizationId, id), {
      set: { ...grantItem.toChanges({ revokedAt: at, revokedFor: reason }), expires_at_epoch: keptUntil },
      if: 'attribute_exists(pk) AND attribute_not_exists(#revoked_at)',
    });
    return { grant: grantItem.fromItem(revoked), isEnded: true };
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
    const grant = await find(organizationId, id);
    return grant && { grant, isEnded: false };
  }
};

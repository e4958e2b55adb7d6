/**
 * Stores grants. All tokens of a grant depend on one item. A revocation is one write and takes effect with the next
 * request. If the item is missing, the tokens of the grant are invalid.
 */

import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import type { Cause } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
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
  absent: ['publisher', 'clientAuth', 'rotatedAt', 'lastUsedAt', 'revokedAt', 'revokedFor'],
});

/** Another request changed the grant. The caller reads again and decides again. */
export class GrantConflict extends VersionConflict {}

/** Finds a grant. The read is consistent, because a revocation must take effect with the next request. */
export const find = async (organizationId: OrganizationId, id: string): Promise<Grant | undefined> => {
  const found = await table.get(keys.grant(organizationId, id), { consistent: true });
  return found && grantItem.fromItem(found);
};

/** Returns the grants, newest first. Includes grants whose code was not redeemed yet. */
export const list = async (organizationId: OrganizationId): Promise<Grant[]> => {
  const { pk, prefix } = keys.grants(organizationId);
  const found = await table.query(pk, { prefix, descending: true });
  return found.filter((each) => !isExpired(each)).map(grantItem.fromItem);
};

/** Returns the item of a new grant. A grant whose code is never redeemed expires within a day. */
export const putGrant = (grant: Grant): table.TransactItem => ({
  put: {
    ...keys.grant(grant.organizationId, grant.id),
    ...grantItem.toItem(grant),
    ...(isRedeemed(grant) ? expiresAt(grant.expiresAt) : expiresIn(AGENT_LIMITS.spentCodeDays * DAY_SECONDS)),
  },
  if: 'attribute_not_exists(pk)',
});

/** Applies `step` to the grant, on the condition that the grant is active and unchanged since it was read. */
export const moveGrant = (grant: Grant, step: GrantStep): table.TransactItem => ({
  update: keys.grant(grant.organizationId, grant.id),
  set: { ...grantItem.toChanges(step), ...expiresAt(grant.expiresAt) },
  if: '#generation = :generation AND #siblings = :siblings AND attribute_not_exists(#revoked_at)',
  values: { generation: grant.generation, siblings: grant.siblings },
  otherwise: () => new GrantConflict(),
});

/**
 * Ends the grant, and with it every token of the grant, permanently. A grant that already ended stays as it is.
 * @returns the present grant and whether this call ended it; undefined if the grant does not exist
 */
export const revoke = async (
  organizationId: OrganizationId,
  id: string,
  { at, reason }: { at: string; reason: Revocation },
  cause: Cause,
): Promise<{ grant: Grant; isEnded: boolean } | undefined> => {
  const grant = await find(organizationId, id);
  if (grant === undefined || grant.revokedAt !== null) return grant && { grant, isEnded: false };
  const keptUntil = nowSeconds() + AGENT_LIMITS.revokedGrantDays * DAY_SECONDS;
  const ended = { revokedAt: at, revokedFor: reason };
  const end = {
    update: keys.grant(organizationId, id),
    set: { ...grantItem.toChanges(ended), expires_at_epoch: keptUntil },
    if: 'attribute_exists(pk) AND attribute_not_exists(#revoked_at)',
  };
  try {
    await audit.commit([end], audit.newEvent({ organizationId, action: 'grant.revoked', targetId: id }, cause));
    return { grant: { ...grant, ...ended }, isEnded: true };
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
    const now = await find(organizationId, id);
    return now && { grant: now, isEnded: false };
  }
};

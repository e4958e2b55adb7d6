/**
 * Creates access tokens without a client and without a person's consent, by an operator's command, for scripts and
 * tests. They belong to a grant like all other access tokens, so that the organization can see and revoke them.
 */
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import { newToken } from '#shared/auth/token.store.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { DATA_SCOPE } from '#shared/values/access-scope.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { putGrant } from './grant.store.ts';
import { accessTokenItem } from './issued-items.store.ts';

/** An id that no client can have. */
const OPERATOR = 'operator';

/** @returns the token; it is not stored and cannot be shown again */
export const createAccessToken = async (
  organizationId: OrganizationId,
  { expiresAt, resource = '' }: { expiresAt: string; resource?: string },
): Promise<{ id: string; token: string }> => {
  const token = newToken('access-token');
  const grant = {
    id: newId(),
    organizationId,
    subject: OPERATOR,
    clientId: OPERATOR,
    clientName: 'Operator',
    publisher: null,
    redirectKind: 'none' as const,
    redirectHost: '',
    scope: DATA_SCOPE,
    resource,
    mayRefresh: false,
    clientAuth: null,
    createdAt: nowIso(),
    expiresAt,
    generation: 1,
    siblings: 0,
    rotatedAt: null,
    lastUsedAt: null,
    revokedAt: null,
    revokedFor: null,
  };
  const created = audit.newEvent({ organizationId, action: 'grant.created', targetId: grant.id }, BY_SERVICE);
  await audit.commit([putGrant(grant), accessTokenItem(token, grant, expiresAt)], created);
  return { id: grant.id, token };
};

/**
 * Rotates refresh tokens and detects reuse (OAuth 2.1 §4.3.1), as a pure function of token, grant and time. A token of
 * the previous generation is accepted for a short time, because a client that lost its answer, or two processes that
 * share a token, look like a thief.
 */
import * as z from 'zod';
import { organizationId } from '#shared/values/ids.ts';
import { isResource } from './authorization-request.rules.ts';
import { type Grant, isActive, type RefusedGrant, refused } from './grant.rules.ts';

/** A refresh token is never changed after creation. The token's grant records the use of the token. */
export const RefreshTokenSchema = z.object({
  organizationId: organizationId(),
  grantId: z.string(),
  generation: z.number(),
  expiresAt: z.string(),
});
export interface RefreshToken extends z.infer<typeof RefreshTokenSchema> {}

export interface RefreshLimits {
  /** Time for which a token of the previous generation is accepted after a rotation. */
  refreshGraceMs: number;
  refreshSiblingsMax: number;
}

export interface RefreshRequest {
  clientId: string;
  resource: string | undefined;
  nowMs: number;
}

/** Values of the grant that a refresh changes. */
export type GrantStep = Pick<Grant, 'generation' | 'siblings' | 'rotatedAt'>;

export type RefreshVerdict =
  /** A refused request changes nothing. */
  RefusedGrant | { kind: 'issue'; step: GrantStep } | { kind: 'reuse' };

const UNKNOWN = 'the refresh token is unknown, expired, revoked or of another client';

const stepOf = (
  { generation }: RefreshToken,
  grant: Grant,
  { nowMs, limits }: { nowMs: number; limits: RefreshLimits },
): GrantStep | undefined => {
  if (generation === grant.generation)
    return { generation: generation + 1, siblings: 0, rotatedAt: new Date(nowMs).toISOString() };
  const isFresh = grant.rotatedAt !== null && nowMs < Date.parse(grant.rotatedAt) + limits.refreshGraceMs;
  const isSibling = generation + 1 === grant.generation && isFresh && grant.siblings < limits.refreshSiblingsMax;
  return isSibling
    ? { generation: grant.generation, siblings: grant.siblings + 1, rotatedAt: grant.rotatedAt }
    : undefined;
};

export const judgeRefresh = (
  token: RefreshToken | undefined,
  grant: Grant | undefined,
  request: RefreshRequest,
  limits: RefreshLimits,
): RefreshVerdict => {
  const { clientId, resource, nowMs } = request;
  if (token === undefined || grant === undefined || grant.clientId !== clientId)
    return refused('invalid_grant', UNKNOWN);
  if (Date.parse(token.expiresAt) <= nowMs || !isActive(grant, nowMs)) return refused('invalid_grant', UNKNOWN);
  if (!isResource(resource, grant.resource)) return refused('invalid_target', 'resource is not the one of the grant');
  const step = stepOf(token, grant, { nowMs, limits });
  return step === undefined ? { kind: 'reuse' } : { kind: 'issue', step };
};

/** Grants: what a person allowed an application, when that counts, and what a code is exchanged for. Pure. */
import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { organizationId } from '#shared/values/ids.ts';
import { isResource } from './authorization-request.rules.ts';

/** `reuse`: a code or refresh token came a second time; nobody can tell who of the two was the thief. */
export const REVOCATIONS = ['person', 'application', 'reuse'] as const;
export type Revocation = (typeof REVOCATIONS)[number];

export const GrantSchema = z.object({
  id: z.string(),
  organizationId: organizationId(),
  /** The session's, who allowed it. */
  subject: z.string(),
  clientId: z.string(),
  /** As they were shown when it was allowed. */
  clientName: z.string(),
  publisher: z.string().nullable(),
  /** `none`: an operator's, which was sent nowhere. */
  redirectKind: z.enum(['web', 'loopback', 'app', 'none']),
  redirectHost: z.string(),
  scope: z.string(),
  resource: z.string(),
  mayRefresh: z.boolean(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Of its refresh tokens; 0 until its code was redeemed. */
  generation: z.number(),
  /** Further refresh tokens of this generation. */
  siblings: z.number(),
  rotatedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  revokedFor: z.enum(REVOCATIONS).nullable(),
});
export interface Grant extends z.infer<typeof GrantSchema> {}

export type GrantStatus = 'active' | 'revoked' | 'expired';

type GrantValidity = Pick<Grant, 'revokedAt' | 'expiresAt'>;

export const deriveGrantStatus = ({ revokedAt, expiresAt }: GrantValidity, nowMs: number): GrantStatus => {
  if (revokedAt !== null) return 'revoked';
  return Date.parse(expiresAt) <= nowMs ? 'expired' : 'active';
};

/** A token holds while this holds, and not a request longer. */
export const isActive = <G extends GrantValidity>(grant: G | undefined, nowMs: number): grant is G =>
  grant !== undefined && deriveGrantStatus(grant, nowMs) === 'active';

/** Was its code redeemed? Until then nobody is shown it. */
export const isRedeemed = ({ generation }: Pick<Grant, 'generation'>): boolean => generation > 0;

/** Does it take one of the places of an organization: active, or still to be redeemed? */
export const takesPlace = (grant: Grant, nowMs: number, { codeMs }: { codeMs: number }): boolean =>
  isActive(grant, nowMs) && (isRedeemed(grant) || Date.parse(grant.createdAt) + codeMs > nowMs);

export const CodeSchema = z.object({
  organizationId: organizationId(),
  grantId: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  challenge: z.string(),
  resource: z.string(),
  expiresAt: z.string(),
  /** Request that redeemed it: a number of ours, which no client can know. */
  usedBy: z.string().nullable(),
});
export interface Code extends z.infer<typeof CodeSchema> {}

/** What a client hands in for a code. */
export interface Presented {
  clientId: string;
  /** OAuth 2.1 leaves it away; where it is sent it must be the one of before. */
  redirectUri: string | undefined;
  verifier: string;
  resource: string | undefined;
}

/** RFC 6749 §5.2, RFC 8707 §2. */
export interface RefusedGrant {
  kind: 'refused';
  error: 'invalid_grant' | 'invalid_target' | 'invalid_scope';
  description: string;
}

export const refused = (error: RefusedGrant['error'], description: string): RefusedGrant => ({
  kind: 'refused',
  error,
  description,
});

export type CodeVerdict =
  /** Whether the code is spent or not, nothing changes. */
  | RefusedGrant
  | { kind: 'redeem' }
  /** This very request did it; the table's answer was lost. */
  | { kind: 'redeemed' }
  /** Another request had it. */
  | { kind: 'reuse' };

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Compared without early exit. */
const fits = (verifier: string, challenge: string): boolean => {
  if (!VERIFIER.test(verifier)) return false;
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const wanted = Buffer.from(challenge);
  return made.length === wanted.length && timingSafeEqual(made, wanted);
};

const UNKNOWN = 'the code is unknown, expired or of another client';

/** Whoever lacks the verifier learns nothing and ends nothing: neither the code nor the grant. */
export const judgeCode = (
  code: Code | undefined,
  presented: Presented,
  { requestId, nowMs }: { requestId: string; nowMs: number },
): CodeVerdict => {
  if (code === undefined || code.clientId !== presented.clientId) return refused('invalid_grant', UNKNOWN);
  if (presented.redirectUri !== undefined && presented.redirectUri !== code.redirectUri)
    return refused('invalid_grant', 'redirect_uri is not the one of the authorization request');
  if (!fits(presented.verifier, code.challenge)) return refused('invalid_grant', 'code_verifier does not fit');
  if (!isResource(presented.resource, code.resource))
    return refused('invalid_target', 'resource is not the one of the authorization request');
  if (code.usedBy !== null) return { kind: code.usedBy === requestId ? 'redeemed' : 'reuse' };
  return Date.parse(code.expiresAt) <= nowMs ? refused('invalid_grant', UNKNOWN) : { kind: 'redeem' };
};

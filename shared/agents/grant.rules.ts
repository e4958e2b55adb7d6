/**
 * Grants: what a person allowed an application, how long a grant is valid, and whether a grant's code may be redeemed.
 * Pure.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { organizationId } from '#shared/values/ids.ts';
import { isResource } from './authorization-request.rules.ts';
import { CLIENT_AUTHS } from './client-id.rules.ts';

/**
 * Reasons for the end of a grant. `reuse`: a code or refresh token was used a second time, and it is unknown which of
 * the two users was the thief.
 */
export const REVOCATIONS = ['person', 'application', 'reuse'] as const;
export type Revocation = (typeof REVOCATIONS)[number];

export const GrantSchema = z.object({
  id: z.string(),
  organizationId: organizationId(),
  /** Subject of the session of the person who allowed. */
  subject: z.string(),
  clientId: z.string(),
  /** Name and publisher as shown to the person. */
  clientName: z.string(),
  publisher: z.string().nullable(),
  /** `none`: an operator's grant without a redirect. */
  redirectKind: z.enum(['web', 'loopback', 'app', 'none']),
  redirectHost: z.string(),
  scope: z.string(),
  resource: z.string(),
  mayRefresh: z.boolean(),
  /** How the client must authenticate for tokens of this grant; null for a public client. */
  clientAuth: z.enum(CLIENT_AUTHS).nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Generation of the grant's refresh tokens; 0 until the grant's code is redeemed. */
  generation: z.number(),
  /** Number of additional refresh tokens of this generation. */
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

/** True if the grant is active. A token is valid only while its grant is active, checked on each request. */
export const isActive = <G extends GrantValidity>(grant: G | undefined, nowMs: number): grant is G =>
  grant !== undefined && deriveGrantStatus(grant, nowMs) === 'active';

/** True if the grant's code was redeemed. Before that, the grant is not visible. */
export const isRedeemed = ({ generation }: Pick<Grant, 'generation'>): boolean => generation > 0;

/** True if the grant counts towards the organization's limit, because it is active or may still be redeemed. */
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
  /** Id of the request that redeemed the code. We generate this id, so no client can know it. */
  usedBy: z.string().nullable(),
});
export interface Code extends z.infer<typeof CodeSchema> {}

/** Parameters with which a client redeems a code. */
export interface Presented {
  clientId: string;
  /** OAuth 2.1 omits this parameter. If it is sent, it must equal the redirect address of the authorization request. */
  redirectUri: string | undefined;
  verifier: string;
  resource: string | undefined;
}

/** An error of RFC 6749 §5.2 or RFC 8707 §2. */
export interface RefusedGrant {
  kind: 'refused';
  error: 'invalid_grant' | 'invalid_target';
  description: string;
}

export const refused = (error: RefusedGrant['error'], description: string): RefusedGrant => ({
  kind: 'refused',
  error,
  description,
});

export type CodeVerdict =
  /** A refusal changes nothing, whether the code is spent or not. */
  | RefusedGrant
  | { kind: 'redeem' }
  /** This request redeemed the code, but the table's response was lost. */
  | { kind: 'redeemed' }
  /** Another request redeemed the code. */
  | { kind: 'reuse' };

/** Form of a code verifier (RFC 7636 §4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** True if the verifier belongs to the challenge. Compares in constant time. */
const fits = (verifier: string, challenge: string): boolean => {
  if (!VERIFIER.test(verifier)) return false;
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const wanted = Buffer.from(challenge);
  return made.length === wanted.length && timingSafeEqual(made, wanted);
};

const UNKNOWN = 'the code is unknown, expired or of another client';

/** Decides about a code. A client without the right verifier learns nothing and ends neither code nor grant. */
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

/**
 * The development issuer, which signs the session token in the dashboard's cookie. On AWS an OpenID issuer signs it.
 */

import { SignJWT } from 'jose';
import { nowMs } from '#shared/platform/clock.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import type { DevelopmentIssuer } from './overlay.ts';

const SUBJECT = '00000000-0000-4000-8000-000000000001';

/** @param expiresAt ISO 8601 */
export const signSession = async (
  { algorithm, issuer, audience, secret }: DevelopmentIssuer,
  organizationId: OrganizationId,
  expiresAt: string,
): Promise<string> =>
  new SignJWT({ app_metadata: { organization_id: organizationId } })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(SUBJECT)
    .setIssuedAt(Math.floor(nowMs() / 1000))
    .setExpirationTime(Math.floor(Date.parse(expiresAt) / 1000))
    .sign(new TextEncoder().encode(secret));

/** Sessions as the configured issuer would sign them; points this process's settings at that issuer. */
import { SignJWT } from 'jose';
import { nowSeconds } from '#shared/platform/clock.ts';

export const ISSUER = 'https://issuer.test';
export const AUDIENCE = 'authenticated';
const SECRET = 'a-secret-of-at-least-32-bytes-for-tests';

export const useSharedSecretIssuer = (): void => {
  Object.assign(process.env, {
    SESSION_ALGORITHM: 'HS256',
    SESSION_ISSUER: ISSUER,
    SESSION_AUDIENCE: AUDIENCE,
    SESSION_SECRET: SECRET,
    SESSION_JWKS_URL: '',
    PUBLIC_ORIGINS: 'https://app.test',
    PUBLIC_ORIGIN: 'https://app.test',
    SECURITY_CONTACT: 'mailto:security@example.com',
    // With a planted clock, a whole test may happen in one minute.
    READS_PER_MINUTE: '1000000',
    CLIENT_APP_URIS: 'cursor://anysphere.cursor-mcp/oauth/callback',
  });
};

export interface SessionClaims {
  organizationId?: string | undefined;
  issuer?: string;
  audience?: string;
  /** Seconds from now; negative for an expired one. */
  expiresIn?: number;
  secret?: string;
  algorithm?: string;
  /** The claim `sub`, of any type. */
  subject?: unknown;
  email?: unknown;
}

export const sessionToken = (claims: SessionClaims = {}): Promise<string> => {
  const at = nowSeconds();
  return new SignJWT({
    ...(claims.organizationId === undefined ? {} : { app_metadata: { organization_id: claims.organizationId } }),
    sub: ('subject' in claims ? claims.subject : 'user-1') as string,
    email: claims.email,
  })
    .setProtectedHeader({ alg: claims.algorithm ?? 'HS256' })
    .setIssuer(claims.issuer ?? ISSUER)
    .setAudience(claims.audience ?? AUDIENCE)
    .setIssuedAt(at)
    .setExpirationTime(at + (claims.expiresIn ?? 3_600))
    .sign(new TextEncoder().encode(claims.secret ?? SECRET));
};

export const sessionCookie = async (organizationId: string): Promise<string[]> => [
  `sb-access-token=${await sessionToken({ organizationId })}`,
];

/** API keys: what they are and when they count. Pure. */

export interface ApiKey {
  id: string;
  organizationId: string;
  name: string;
  displayPrefix: string;
  /** Of the token, which itself is nowhere. */
  sha256: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

export type ApiKeyStatus = 'active' | 'revoked' | 'expired';

export const statusOf = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number): ApiKeyStatus => {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
};

/** API keys: their data, and when a key is valid. Pure. */

import * as z from 'zod';
import { AuthorSchema } from '#shared/audit/audit.rules.ts';
import { organizationId } from '#shared/values/ids.ts';

export const ApiKeySchema = z.object({
  id: z.string(),
  organizationId: organizationId(),
  name: z.string(),
  displayPrefix: z.string(),
  /** Hash of the token. The token itself is not stored. */
  sha256: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  /** Absent on keys that were created before authors were stored. */
  createdBy: AuthorSchema.optional(),
});
export interface ApiKey extends z.infer<typeof ApiKeySchema> {}

export type ApiKeyStatus = 'active' | 'revoked' | 'expired';

export const deriveKeyStatus = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number): ApiKeyStatus => {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
};

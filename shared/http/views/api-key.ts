/** An API key as the API returns it. */
import * as z from 'zod';
import { type ApiKey as ApiKeyRecord, deriveKeyStatus } from '#shared/auth/api-key.rules.ts';
import { instant, uuid } from '#shared/values/fields.ts';
import { createdBy, toAuthorView } from './author.ts';

export const ApiKey = z
  .object({
    id: uuid(),
    name: z.string().meta({ examples: ['Accounting system'] }),
    display_prefix: z
      .string()
      .describe('First characters of the token, to recognize it.')
      .meta({ examples: ['svc_sk_Q3fT9a'] }),
    status: z.enum(['active', 'revoked', 'expired']),
    last_used_at: instant().nullable().describe('Accurate to the minute.'),
    expires_at: instant()
      .nullable()
      .describe('The key is refused from this time on. Null if it never expires.')
      .meta({ examples: ['2027-10-14T12:30:00.000Z'] }),
    revoked_at: instant()
      .nullable()
      .meta({ examples: [null] }),
    created_at: instant(),
    created_by: createdBy(),
  })
  .meta({ id: 'ApiKey' });

export const toApiKey = (key: ApiKeyRecord, nowMs: number): z.infer<typeof ApiKey> => ({
  id: key.id,
  name: key.name,
  display_prefix: key.displayPrefix,
  status: deriveKeyStatus(key, nowMs),
  last_used_at: key.lastUsedAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
  created_at: key.createdAt,
  created_by: key.createdBy ? toAuthorView(key.createdBy) : null,
});

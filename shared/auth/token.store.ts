/**
 * Stores credentials of callers, found by the SHA-256 of the token. The keys of these items do not begin with the
 * organization, because the organization is found through them. The items are read consistently, so that a revocation
 * takes effect with the next request. The item of an API key changes in one transaction with the key
 * (`api-key.store.ts`); an access token is valid as long as its grant (`shared/agents`).
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresAt } from '#shared/table/ttl.ts';
import { organizationId } from '#shared/values/ids.ts';

export type TokenKind = 'key' | 'access-token';

export const TOKEN_PREFIXES: Readonly<Record<TokenKind, string>> = { key: 'svc_sk_', 'access-token': 'svc_at_' };
/** Prefix of OAuth refresh tokens, which do not authenticate callers. */
export const REFRESH_PREFIX = 'svc_rt_';
const RANDOM_BYTES = 32;
const TOKEN_FORM = /^svc_(sk|at)_[A-Za-z0-9_-]{43}$/;

export const isTokenForm = (text: string): boolean => TOKEN_FORM.test(text);

/** Returns an unguessable secret: 32 random bytes, base64url. */
export const newSecret = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

export const newToken = (kind: TokenKind): string => `${TOKEN_PREFIXES[kind]}${newSecret()}`;

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

export const TokenSchema = z.object({
  sha256: z.string(),
  kind: z.enum(['key', 'access-token']),
  organizationId: organizationId(),
  /** Id of the API key, or of the access token's grant. An access token is invalid without its grant. */
  credentialId: z.string(),
  /** Scope and resource of an access token; null for an API key. */
  scope: z.string().nullable(),
  resource: z.string().nullable(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});
export interface TokenRecord extends z.infer<typeof TokenSchema> {}

export const tokenItem = item('token', TokenSchema, { absent: ['revokedAt', 'lastUsedAt', 'scope', 'resource'] });

/**
 * Returns the item of a token. An access token is removed when it expires. An API key stays in its organization's list.
 */
export const putToken = (record: TokenRecord): table.Item => ({
  ...keys.token(record.sha256),
  ...tokenItem.toItem(record),
  ...(record.kind === 'access-token' && record.expiresAt !== null ? expiresAt(record.expiresAt) : {}),
});

/** Compares in constant time. The found item must have exactly the requested hash. */
const sameHash = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && left.length > 0 && timingSafeEqual(left, right);
};

export const findToken = async (token: string): Promise<TokenRecord | undefined> => {
  const sha256 = tokenHash(token);
  const found = await table.get(keys.token(sha256), { consistent: true });
  if (!found) return undefined;
  const record = tokenItem.fromItem(found);
  return sameHash(record.sha256, sha256) ? record : undefined;
};

const STAMP_EVERY_MS = 60_000;

export const isStampDue = (record: Pick<TokenRecord, 'lastUsedAt'>, nowMs: number): boolean =>
  record.lastUsedAt === null || Date.parse(record.lastUsedAt) + STAMP_EVERY_MS <= nowMs;

/**
 * Stamps the use, at most once a minute. Throws if another request stamped the use first; the caller may ignore this
 * error.
 */
export const stampUse = async (record: TokenRecord, nowMs: number): Promise<void> => {
  const stamp = {
    set: tokenItem.toChanges({ lastUsedAt: new Date(nowMs).toISOString() }),
    if: 'attribute_exists(pk) AND (attribute_not_exists(#last_used_at) OR #last_used_at <= :before)',
    values: { before: new Date(nowMs - STAMP_EVERY_MS).toISOString() },
  };
  const { organizationId, credentialId, sha256, kind } = record;
  const owner = kind === 'key' ? keys.apiKey(organizationId, credentialId) : keys.grant(organizationId, credentialId);
  await table.transact([
    { update: keys.token(sha256), ...stamp },
    { update: owner, set: stamp.set, if: 'attribute_exists(pk)' },
  ]);
};

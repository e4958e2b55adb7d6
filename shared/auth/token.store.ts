/**
 * Credentials of callers, found by the SHA-256 of the token: the one kind of item whose key does not begin with the
 * organization, because it is how the organization is found. Read consistently, so that a revocation counts from the
 * next request on. An item of an API key changes in one transaction with the key itself (`api-key.store.ts`); an access
 * token holds while its grant does (`shared/agents`).
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
/** Of an OAuth refresh token, which authenticates nobody here. */
export const REFRESH_PREFIX = 'svc_rt_';
const RANDOM_BYTES = 32;
const TOKEN_FORM = /^svc_(sk|at)_[A-Za-z0-9_-]{43}$/;

export const isTokenForm = (text: string): boolean => TOKEN_FORM.test(text);

/** Nobody guesses it: 32 random bytes, base64url. */
export const newSecret = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

export const newToken = (kind: TokenKind): string => `${TOKEN_PREFIXES[kind]}${newSecret()}`;

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

export const TokenSchema = z.object({
  sha256: z.string(),
  kind: z.enum(['key', 'access-token']),
  organizationId: organizationId(),
  /** Of the API key; of an access token the grant, without which it is nothing. */
  credentialId: z.string(),
  /** Of an access token alone: what it was given for. */
  scope: z.string().nullable(),
  resource: z.string().nullable(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});
export interface TokenRecord extends z.infer<typeof TokenSchema> {}

export const tokenItem = item('token', TokenSchema, { absent: ['revokedAt', 'lastUsedAt', 'scope', 'resource'] });

/** An access token goes when it is over; an API key stays in the list of its organization. */
export const putToken = (record: TokenRecord): table.Item => ({
  ...keys.token(record.sha256),
  ...tokenItem.toItem(record),
  ...(record.kind === 'access-token' && record.expiresAt !== null ? expiresAt(record.expiresAt) : {}),
});

/** Compared without early exit: what the table found must be the very hash that was asked for. */
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

/** Notes the use, at most once a minute. Throws when another request was faster: nothing is lost then. */
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

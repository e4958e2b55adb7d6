/** API keys. The key and the item its token is found by change together or not at all. */

import { LIMITS } from '#shared/platform/limits.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { ApiKey } from './api-key.rules.ts';
import { newToken, TOKEN_PREFIXES, tokenHash, tokenItem } from './token.store.ts';

const SHOWN_CHARS = 6;

const fromItem = (item: table.Item): ApiKey => ({
  id: item.id,
  organizationId: item.organization_id,
  name: item.name,
  displayPrefix: item.display_prefix,
  sha256: item.sha256,
  createdAt: item.created_at,
  expiresAt: item.expires_at ?? null,
  revokedAt: item.revoked_at ?? null,
  lastUsedAt: item.last_used_at ?? null,
});

const toItem = (key: ApiKey): table.Item => ({
  ...keys.apiKey(key.organizationId, key.id),
  id: key.id,
  organization_id: key.organizationId,
  name: key.name,
  display_prefix: key.displayPrefix,
  sha256: key.sha256,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
});

export class ApiKeyExists extends AppError {}
export class TooManyApiKeys extends AppError {}

/** Newest created first: ids are in order of creation. */
export const list = async (organizationId: string): Promise<ApiKey[]> => {
  const { pk, prefix } = keys.apiKeys(organizationId);
  return (await table.query(pk, { prefix, descending: true })).map(fromItem);
};

/**
 * @returns the token too: it is not kept and cannot be shown again. Throws `ApiKeyExists` for a repeat of a create whose
 * answer was lost, `TooManyApiKeys` above the organization's limit (revoked and expired ones count).
 */
export const create = async (
  organizationId: string,
  { id, name, expiresAt, createdAt }: Pick<ApiKey, 'id' | 'name' | 'expiresAt' | 'createdAt'>,
): Promise<{ key: ApiKey; token: string }> => {
  if ((await list(organizationId)).length >= LIMITS.apiKeysPerOrganizationMax) throw new TooManyApiKeys();
  const token = newToken('key');
  const key: ApiKey = {
    id,
    organizationId,
    name,
    displayPrefix: token.slice(0, TOKEN_PREFIXES.key.length + SHOWN_CHARS),
    sha256: tokenHash(token),
    createdAt,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  };
  const record = { ...key, kind: 'key', credentialId: id } as const;
  await table.transact([
    { put: toItem(key), if: 'attribute_not_exists(pk)', otherwise: () => new ApiKeyExists() },
    { put: tokenItem(record), if: 'attribute_not_exists(pk)' },
  ]);
  return { key, token };
};

const find = async (organizationId: string, id: string): Promise<ApiKey | undefined> => {
  const item = await table.get(keys.apiKey(organizationId, id));
  return item && fromItem(item);
};

/** Effective on the next request. A key that is revoked already stays as it is. Undefined when there is no such key. */
export const revoke = async (organizationId: string, id: string, revokedAt: string): Promise<ApiKey | undefined> => {
  const key = await find(organizationId, id);
  if (!key || key.revokedAt !== null) return key;
  const stamp = { set: { revoked_at: revokedAt }, if: 'attribute_exists(pk) AND attribute_not_exists(#revoked_at)' };
  try {
    await table.transact([
      { update: keys.apiKey(organizationId, id), ...stamp },
      { update: keys.token(key.sha256), ...stamp },
    ]);
  } catch (error) {
    // Somebody else revoked it in between: theirs counts.
    if (!(error instanceof ConditionRefused)) throw error;
    return find(organizationId, id);
  }
  return { ...key, revokedAt };
};

/** Stores API keys. The item of a key and the item that finds the key by its token always change in one transaction. */

import type { Cause } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import { AUTH_LIMITS } from '#shared/auth/limits.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { type ApiKey, ApiKeySchema } from './api-key.rules.ts';
import { newToken, putToken, TOKEN_PREFIXES, tokenHash } from './token.store.ts';

const SHOWN_CHARS = 6;

export const apiKeyItem = item('api key', ApiKeySchema, { absent: ['revokedAt', 'lastUsedAt'] });

export class ApiKeyExists extends AppError {}
export class TooManyApiKeys extends AppError {}

/** Returns the keys, newest creation first, since ids are in the order of creation. */
export const list = async (organizationId: OrganizationId): Promise<ApiKey[]> => {
  const { pk, prefix } = keys.apiKeys(organizationId);
  return (await table.query(pk, { prefix, descending: true })).map(apiKeyItem.fromItem);
};

/**
 * Creates a key.
 * @returns the key and its token; the token is not stored and cannot be shown again
 * @throws ApiKeyExists for a repeat of a create whose response was lost
 * @throws TooManyApiKeys above the organization's limit; revoked and expired keys count
 */
export const create = async (
  organizationId: OrganizationId,
  { id, name, expiresAt, createdAt }: Pick<ApiKey, 'id' | 'name' | 'expiresAt' | 'createdAt'>,
  cause: Cause,
): Promise<{ key: ApiKey; token: string }> => {
  if ((await list(organizationId)).length >= AUTH_LIMITS.apiKeysPerOrganizationMax) throw new TooManyApiKeys();
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
    createdBy: cause.author,
  };
  const record = { ...key, kind: 'key', credentialId: id, scope: null, resource: null } as const;
  await audit.commit(
    [
      {
        put: { ...keys.apiKey(organizationId, id), ...apiKeyItem.toItem(key) },
        if: 'attribute_not_exists(pk)',
        otherwise: () => new ApiKeyExists(),
      },
      { put: putToken(record), if: 'attribute_not_exists(pk)' },
    ],
    audit.newEvent({ organizationId, action: 'api_key.created', targetId: id }, cause),
  );
  return { key, token };
};

export const find = async (organizationId: OrganizationId, id: string): Promise<ApiKey | undefined> => {
  const found = await table.get(keys.apiKey(organizationId, id));
  return found && apiKeyItem.fromItem(found);
};

/**
 * Revokes the key with effect from the next request. A key that is already revoked stays as it is. Returns undefined if
 * the key does not exist.
 */
export const revoke = async (
  organizationId: OrganizationId,
  id: string,
  revokedAt: string,
  cause: Cause,
): Promise<ApiKey | undefined> => {
  const key = await find(organizationId, id);
  if (!key || key.revokedAt !== null) return key;
  const stamp = {
    set: apiKeyItem.toChanges({ revokedAt }),
    if: 'attribute_exists(pk) AND attribute_not_exists(#revoked_at)',
  };
  try {
    await audit.commit(
      [
        { update: keys.apiKey(organizationId, id), ...stamp },
        { update: keys.token(key.sha256), ...stamp },
      ],
      audit.newEvent({ organizationId, action: 'api_key.revoked', targetId: id }, cause),
    );
  } catch (error) {
    // Another request revoked the key first, and the time of that request stays.
    if (!(error instanceof ConditionRefused)) throw error;
    return find(organizationId, id);
  }
  return { ...key, revokedAt };
};

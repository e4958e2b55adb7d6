/**
 * Stores the history of a login's requests (shared/sync/login/login.rules.ts). Every change is conditional on the
 * version of the history.
 */

import * as z from 'zod';
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { RunConflict } from '#shared/sync/run/run.store.ts';
import { bytes, item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import type { SourceAccount } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { freshHistory, type LoginHistory, LoginHistorySchema } from './login.rules.ts';

/** Another worker changed the history in the meantime. The caller reads run and history again. */
export class LoginsChanged extends RunConflict {}

export const loginHistoryItem = item('login history', LoginHistorySchema);
/** The encrypted key is in the same item as the history. The item may contain the key before it contains a history. */
export const fingerprintKeyItem = item('fingerprint key', z.object({ fingerprintKey: bytes().optional() }));

export const find = async (organizationId: OrganizationId, { source, key }: SourceAccount): Promise<LoginHistory> => {
  const found = await table.get(keys.logins(organizationId, source, key));
  return found?.version === undefined ? freshHistory() : loginHistoryItem.fromItem(found);
};

/** Returns the encrypted key for fingerprints of the login's passwords. */
export const findFingerprintKey = async (
  organizationId: OrganizationId,
  { source, key }: SourceAccount,
): Promise<Uint8Array | undefined> =>
  fingerprintKeyItem.fromItem((await table.get(keys.logins(organizationId, source, key))) ?? {}).fingerprintKey;

/** Another worker stored a key before this worker. */
class KeyKept extends AppError {}

/**
 * Stores the key if the login has no key yet. Returns the stored key, which is another worker's key if that worker
 * stored its key first.
 */
export const keepFingerprintKey = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  ciphertext: Uint8Array,
): Promise<Uint8Array> => {
  try {
    await table.update(keys.logins(organizationId, login.source, login.key), {
      set: { ...fingerprintKeyItem.toItem({ fingerprintKey: ciphertext }), ...expiresIn(RETENTION_SECONDS) },
      if: 'attribute_not_exists(#fingerprint_key)',
      otherwise: () => new KeyKept(),
    });
    return ciphertext;
  } catch (error) {
    const kept = error instanceof KeyKept ? await findFingerprintKey(organizationId, login) : undefined;
    if (kept === undefined) throw error;
    return kept;
  }
};

/**
 * Returns the item that counts or uncounts a login, for a transaction. The history of an unused login expires by its
 * TTL.
 */
export const change = (
  organizationId: OrganizationId,
  { source, key }: SourceAccount,
  { version, underWay, credentials }: LoginHistory,
): table.TransactItem => ({
  update: keys.logins(organizationId, source, key),
  set: { ...loginHistoryItem.toItem({ version: version + 1, underWay, credentials }), ...expiresIn(RETENTION_SECONDS) },
  if: version === 0 ? 'attribute_not_exists(#version)' : '#version = :seen',
  ...(version === 0 ? {} : { values: { seen: version } }),
  otherwise: () => new LoginsChanged(),
});

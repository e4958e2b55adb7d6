/** What came of the requests of a login (shared/sync/login/login.rules.ts). Every change is conditional on its version. */

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

/** Another worker changed it meanwhile: run and history are read again. */
export class LoginsChanged extends RunConflict {}

export const loginHistoryItem = item('login history', LoginHistorySchema);
/** Lies in the same item, and before there is a history. */
export const fingerprintKeyItem = item('fingerprint key', z.object({ fingerprintKey: bytes().optional() }));

export const find = async (organizationId: OrganizationId, { source, key }: SourceAccount): Promise<LoginHistory> => {
  const found = await table.get(keys.logins(organizationId, source, key));
  return found?.version === undefined ? freshHistory() : loginHistoryItem.fromItem(found);
};

/** The key that fingerprints of the login's passwords are made with, encrypted. */
export const findFingerprintKey = async (
  organizationId: OrganizationId,
  { source, key }: SourceAccount,
): Promise<Uint8Array | undefined> =>
  fingerprintKeyItem.fromItem((await table.get(keys.logins(organizationId, source, key))) ?? {}).fingerprintKey;

/** Somebody else kept one first. */
class KeyKept extends AppError {}

/** Answers the key that is kept: another worker's, where that one came first. */
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

/** For the transaction that counts a login, or takes it back. Of a login that nobody uses it goes by its TTL. */
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

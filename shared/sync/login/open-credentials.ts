/** Opens credentials: decrypts them, and computes their login and a fingerprint of the password. */

import { createHmac } from 'node:crypto';
import { identifyAccount } from '#shared/connections/account-key.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import {
  decryptSecret,
  encryptSecret,
  fingerprintSecret,
  newFingerprintKey,
  secretResource,
} from '#shared/platform/crypto.ts';
import { type JsonObject, type SourceAdapter, SourceError } from '#shared/sources/source.ts';
import type { SourceAccount } from '#shared/table/lease.ts';
import { secretsIn } from '#shared/values/credential-fields.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import * as logins from './login.store.ts';

export interface OpenedCredentials {
  credentials: JsonObject;
  version: number;
  login: SourceAccount;
  /** Account by `identifyAccount`; undefined if the source shares logins normally. */
  accountKey: string | undefined;
  /**
   * Returns the fingerprint of only the password, because connections to several companies share a login. Used only for
   * login requests.
   */
  fingerprint(): Promise<string>;
}

/** Decrypts the credentials, which stay in memory only while the caller works. */
export const openCredentials = async (connection: Connection, source: SourceAdapter): Promise<OpenedCredentials> => {
  const { organizationId, id } = connection;
  const stored = await connections.findCredentials(organizationId, id);
  if (!stored) throw new SourceError('source.invalid_credentials', 'The connection has no credentials.');
  const credentials = JSON.parse(
    await decryptSecret(organizationId, secretResource.credentials(connection), stored.ciphertext),
  );
  const login = identifyLogin(source, organizationId, credentials);
  const fingerprint = async () => {
    const secrets = JSON.stringify(secretsIn(source.manifest.credentialsSchema, credentials));
    return fingerprintSecret(await fingerprintKey(organizationId, login), secrets);
  };
  const accountKey = identifyAccount(source.manifest, organizationId, credentials);
  return { credentials, version: stored.version, login, accountKey, fingerprint };
};

/**
 * Returns the key for fingerprints. All connections of a login use one key, which the first of these connections
 * creates.
 */
const fingerprintKey = async (organizationId: OrganizationId, login: SourceAccount): Promise<string> => {
  const resource = secretResource.fingerprints(login.source, login.key);
  const kept =
    (await logins.findFingerprintKey(organizationId, login)) ??
    (await logins.keepFingerprintKey(
      organizationId,
      login,
      await encryptSecret(organizationId, resource, newFingerprintKey()),
    ));
  return decryptSecret(organizationId, resource, kept);
};

export const identifyLogin = (
  source: SourceAdapter,
  organizationId: OrganizationId,
  credentials: JsonObject,
): SourceAccount => ({
  source: source.manifest.code,
  key: createHmac('sha256', organizationId).update(source.loginOf(credentials)).digest('hex').slice(0, 32),
  sessionsMax: source.manifest.sessionsPerLogin,
});

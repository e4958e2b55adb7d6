/**
 * Envelope encryption of credentials, webhook secrets and stored sessions with the AWS Encryption SDK. A KMS key wraps
 * the data keys on AWS, a key file locally. The ciphertext is bound to its organization and resource, so a copy in
 * another organization or item cannot be decrypted. Data keys are cached for 5 minutes (decisions.md §2).
 *
 * The SDK's packages are imported one by one: the combined package `client-node` has no ESM build and adds 140 kB to a
 * bundle.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  getLocalCryptographicMaterialsCache,
  NodeCachingMaterialsManager,
} from '@aws-crypto/caching-materials-manager-node';
import { buildDecrypt } from '@aws-crypto/decrypt-node';
import { buildEncrypt } from '@aws-crypto/encrypt-node';
import { cacheClients, getClient, KMS, KmsKeyringNode } from '@aws-crypto/kms-keyring-node';
import { AlgorithmSuiteIdentifier, CommitmentPolicy } from '@aws-crypto/material-management-node';
import { RawAesKeyringNode, RawAesWrappingSuiteIdentifier } from '@aws-crypto/raw-aes-keyring-node';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { bounded } from './bounded-calls.ts';
import { env, envOptional } from './env.ts';
import { VARIABLES } from './needs.ts';
import { isUnanswered, makePatient, type SdkClient, ServiceBusy } from './patience.ts';

export { secretResource } from './secret-resource.ts';

const policy = CommitmentPolicy.REQUIRE_ENCRYPT_REQUIRE_DECRYPT;
/**
 * The suite commits to the key and has no signature. Every function that may read the ciphertext may also write it, so
 * a signature would prove nothing.
 */
const suiteId = AlgorithmSuiteIdentifier.ALG_AES256_GCM_IV12_TAG16_HKDF_SHA512_COMMIT_KEY;

const { encrypt } = buildEncrypt({ commitmentPolicy: policy, maxEncryptedDataKeys: 1 });
const { decrypt } = buildDecrypt({ commitmentPolicy: policy, maxEncryptedDataKeys: 1 });

/**
 * The ciphertext was altered, belongs to another organization or resource, or the key refused to unwrap its data key. The
 * cause is the refusal of KMS, if there is one.
 */
export class SecretUnreadable extends AppError {
  constructor(cause?: unknown) {
    // Errors of the envelope are no cause, because their messages quote parts of it.
    super('an encrypted secret cannot be opened for this organization and resource', { cause });
  }
}

/** KMS did not answer: it was too busy, failed, or was not reached. The secret may be opened later. */
export class KeyUnanswered extends ServiceBusy {
  constructor(cause: unknown) {
    super('the encryption key did not answer', { cause });
  }
}

const KEY_BYTES = 32;
const DATA_KEY_CACHED_MS = 300_000;
const DATA_KEYS_CACHED_MAX = 200;
const DATA_KEY_MESSAGES_MAX = 1_000;

const fileKeyring = (path: string): RawAesKeyringNode => {
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`${VARIABLES.encryptionKeyFile} must hold ${KEY_BYTES} bytes, base64`);
  return new RawAesKeyringNode({
    keyName: 'local',
    keyNamespace: 'data-connections',
    // The keyring needs its own memory, not a view into Node's buffer pool.
    unencryptedMasterKey: new Uint8Array(key),
    wrappingSuite: RawAesWrappingSuiteIdentifier.AES256_GCM_IV12_TAG16_NO_PADDING,
  });
};

const kmsKeyring = (generatorKeyId: string): KmsKeyringNode => {
  // Under `exactOptionalPropertyTypes`, the types of the package refuse the package's own client.
  const clients = getClient(KMS as never, bounded(PLATFORM_LIMITS.keyCallMs, PLATFORM_LIMITS.awsAttemptsMax));
  const clientProvider = cacheClients((region) => {
    const client = clients(region);
    // The package's own type of its client leaves `send` out.
    return client && (rememberRefusal(makePatient(client as unknown as SdkClient)) as unknown as typeof client);
  });
  return new KmsKeyringNode({ generatorKeyId, clientProvider });
};

/** The last refusal of KMS to the present work, because the keyring turns refusals into text. */
const refusals = new AsyncLocalStorage<{ last?: unknown }>();

const rememberRefusal = (client: SdkClient): SdkClient => {
  const { send } = client;
  client.send = (...given: unknown[]) =>
    send(...given).catch((error: unknown) => {
      const refusal = refusals.getStore();
      if (refusal) refusal.last = error;
      throw error;
    });
  return client;
};

/** Runs work that may call KMS. `otherwise` makes the error of a failure that is not KMS's silence. */
const askKey = <T>(work: () => Promise<T>, otherwise: (error: unknown, refusal: unknown) => unknown): Promise<T> => {
  const refusal: { last?: unknown } = {};
  return refusals.run(refusal, work).catch((error: unknown) => {
    const { last } = refusal;
    throw last !== undefined && isUnanswered(last) ? new KeyUnanswered(last) : otherwise(error, last);
  });
};

const makeMaterials = (): NodeCachingMaterialsManager => {
  const arn = envOptional(VARIABLES.encryptionKeyArn);
  return new NodeCachingMaterialsManager({
    backingMaterials: arn ? kmsKeyring(arn) : fileKeyring(env(VARIABLES.encryptionKeyFile)),
    cache: getLocalCryptographicMaterialsCache(DATA_KEYS_CACHED_MAX),
    maxAge: DATA_KEY_CACHED_MS,
    maxMessagesEncrypted: DATA_KEY_MESSAGES_MAX,
  });
};

let materials: NodeCachingMaterialsManager | undefined;
const materialsOf = (): NodeCachingMaterialsManager => {
  materials ??= makeMaterials();
  return materials;
};

const contextOf = (organizationId: OrganizationId, resource: string): Record<string, string> => ({
  organization: organizationId,
  resource,
});

/**
 * @param resource owner of the secret, one of `secretResource`; the same string is needed to decrypt
 * @throws KeyUnanswered
 */
export const encryptSecret = async (
  organizationId: OrganizationId,
  resource: string,
  plaintext: string,
): Promise<Uint8Array> => {
  const encryptionContext = contextOf(organizationId, resource);
  const { result } = await askKey(
    () => encrypt(materialsOf(), plaintext, { suiteId, encryptionContext }),
    (error) => error,
  );
  return new Uint8Array(result);
};

/**
 * @throws SecretUnreadable unless organization and resource are the same as for encryption
 * @throws KeyUnanswered
 */
export const decryptSecret = async (
  organizationId: OrganizationId,
  resource: string,
  ciphertext: Uint8Array,
): Promise<string> => {
  const opener = materialsOf();
  const wanted = contextOf(organizationId, resource);
  const { plaintext, messageHeader } = await askKey(
    () => decrypt(opener, Buffer.from(ciphertext)),
    (_, refusal) => new SecretUnreadable(refusal),
  );
  const bound = messageHeader.encryptionContext;
  if (Object.entries(wanted).some(([name, value]) => bound[name] !== value)) throw new SecretUnreadable();
  return plaintext.toString('utf8');
};

const FINGERPRINT_HEX_CHARS = 32;

/**
 * Returns a key for `fingerprintSecret`. The key must be stored only encrypted: with the key, passwords can be tried
 * against a fingerprint.
 */
export const newFingerprintKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

/** Returns the fingerprint of a secret. Equal secrets have equal fingerprints under one key. */
export const fingerprintSecret = (key: string, secret: string): string =>
  createHmac('sha256', key).update(secret).digest('hex').slice(0, FINGERPRINT_HEX_CHARS);

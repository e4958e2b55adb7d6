/**
 * Caches recently decrypted secrets of endpoints, by their ciphertext. A replaced secret has another ciphertext and is
 * decrypted again. Decryption is a tenth of the compute cost of a delivery. Each secret is cached for the same time as
 * a data key, only in the memory of the function that signs.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { decryptSecret } from '#shared/platform/crypto.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { secretResource } from './endpoint.store.ts';

interface Opened {
  /** One promise for all that ask while the secret is decrypted, so that they cause one call of KMS. */
  secret: Promise<string>;
  untilMs: number;
}

/** Secrets that are or were decrypted, oldest first. */
const opened = new Map<string, Opened>();

/**
 * Returns the decrypted secret. Failures are not cached.
 *
 * @throws SecretUnreadable
 * @throws KeyUnanswered
 */
export const openSecret = (
  organizationId: OrganizationId,
  endpointId: string,
  ciphertext: Uint8Array,
): Promise<string> => {
  // The cache key includes both ids, so that a ciphertext copied to another item is not found in the cache.
  const id = `${organizationId}|${endpointId}|${Buffer.from(ciphertext).toString('base64')}`;
  const known = opened.get(id);
  if (known !== undefined && nowMs() < known.untilMs) return known.secret;
  const secret = decryptSecret(organizationId, secretResource(endpointId), ciphertext);
  opened.delete(id);
  opened.set(id, { secret, untilMs: nowMs() + WEBHOOK_LIMITS.webhookSecretOpenMs });
  secret.catch(() => {
    if (opened.get(id)?.secret === secret) opened.delete(id);
  });
  if (opened.size > WEBHOOK_LIMITS.webhookSecretsOpenMax) opened.delete(opened.keys().next().value!);
  return secret;
};

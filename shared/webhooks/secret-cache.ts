/**
 * Secrets of endpoints that were opened lately, by their ciphertext: a rolled secret has another one, and is opened anew.
 * Opening one is a tenth of what a delivery computes. They live as long as the data keys that open them would, in the
 * memory of the function that signs and nowhere else.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { decryptSecret } from '#shared/platform/crypto.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { secretResource } from './endpoint.store.ts';

interface Opened {
  secret: string;
  untilMs: number;
}

/** Oldest first. */
const opened = new Map<string, Opened>();

/** Throws `SecretUnreadable`; what does not open is not kept. */
export const openSecret = async (
  organizationId: OrganizationId,
  endpointId: string,
  ciphertext: Uint8Array,
): Promise<string> => {
  // With both ids: a ciphertext that was copied to another item must not open there.
  const id = `${organizationId}|${endpointId}|${Buffer.from(ciphertext).toString('base64')}`;
  const known = opened.get(id);
  if (known !== undefined && nowMs() < known.untilMs) return known.secret;
  const secret = await decryptSecret(organizationId, secretResource(endpointId), ciphertext);
  opened.delete(id);
  opened.set(id, { secret, untilMs: nowMs() + WEBHOOK_LIMITS.webhookSecretOpenMs });
  if (opened.size > WEBHOOK_LIMITS.webhookSecretsOpenMax) opened.delete(opened.keys().next().value!);
  return secret;
};

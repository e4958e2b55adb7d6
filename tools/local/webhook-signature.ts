/**
 * Verifies a delivery as a receiver does, but on the virtual clock, and returns the reason if the delivery is invalid.
 */
import { verifySignature } from '#shared/webhooks/signing.ts';

const TOLERANCE_SECONDS = 300;

export interface SignedHeaders {
  'webhook-id'?: string | undefined;
  'webhook-timestamp'?: string | undefined;
  'webhook-signature'?: string | undefined;
}

export type SignatureVerdict = { verified: true } | { verified: false; reason: string };

const refuse = (reason: string): SignatureVerdict => ({ verified: false, reason });

/**
 * A signature is valid if it was made with any of the secrets, because an inbox may receive deliveries of several
 * endpoints.
 */
export const verifyWebhook = (
  secrets: readonly string[],
  headers: SignedHeaders,
  body: Buffer,
  nowMs: number,
): SignatureVerdict => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) return refuse('a webhook header is missing');
  if (!/^\d{1,12}$/.test(timestamp)) return refuse('the timestamp is not a number of seconds');
  const nowSeconds = Math.floor(nowMs / 1000);
  const ageSeconds = nowSeconds - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) return refuse(`the timestamp is ${ageSeconds} s old`);
  if (secrets.length === 0) return refuse('no secret is known: PUT /_local/inbox/secret');
  const received = { headers: { ...headers }, body };
  return secrets.some((secret) => verifySignature(secret, received, nowSeconds))
    ? { verified: true }
    : refuse('no signature matches');
};

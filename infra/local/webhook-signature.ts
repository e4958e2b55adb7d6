/**
 * Verifies a Standard Webhooks signature as a receiver would, but on the virtual clock: `Webhook.verify` of the
 * `standardwebhooks` package asks `Date.now`, and after a jump of the stack's clock it would call every delivery too
 * new. A test compares the two.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

export interface SignedHeaders {
  'webhook-id'?: string | undefined;
  'webhook-timestamp'?: string | undefined;
  'webhook-signature'?: string | undefined;
}

export type Verdict = { verified: true } | { verified: false; reason: string };

const isSame = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const refuse = (reason: string): Verdict => ({ verified: false, reason });

/** Any of the secrets will do: an inbox may receive for several endpoints. */
export const verifyWebhook = (
  secrets: readonly string[],
  headers: SignedHeaders,
  body: Buffer,
  nowMs: number,
): Verdict => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) return refuse('a webhook header is missing');
  if (!/^\d{1,12}$/.test(timestamp)) return refuse('the timestamp is not a number of seconds');
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) return refuse(`the timestamp is ${ageSeconds} s old`);
  if (secrets.length === 0) return refuse('no secret is registered: PUT /_local/inbox/secret');
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []));
  const matches = secrets.some((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return given.some((signature) => isSame(signature, expected));
  });
  return matches ? { verified: true } : refuse('no signature matches');
};

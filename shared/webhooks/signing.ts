/** Standard Webhooks signatures (service.md "Signature"). The bytes are signed as they are sent, without parsing. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const TOLERANCE_SECONDS = 300;

export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

const digest = (secret: string, id: string, timestamp: string, body: Uint8Array): Buffer => {
  if (!secret.startsWith(PREFIX)) throw new Error('not a webhook secret');
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
};

/** @param timestamp whole seconds since the epoch */
export const sign = (secret: string, id: string, timestamp: number, body: Uint8Array): string =>
  `v1,${digest(secret, id, String(timestamp), body).toString('base64')}`;

/** The headers of one attempt. */
export const signedHeaders = (
  secret: string,
  id: string,
  timestamp: number,
  body: Uint8Array,
): Record<string, string> => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': sign(secret, id, timestamp, body),
});

export interface ReceivedWebhook {
  /** Header names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
}

const WHOLE_SECONDS = /^\d{1,12}$/;

const isSame = (signature: string, expected: Buffer): boolean => {
  const [version, value = ''] = signature.split(',', 2);
  const given = Buffer.from(value, 'base64');
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
};

/**
 * Makes the check that receivers must make. Any matching `v1` signature counts; signatures are compared in constant
 * time. A timestamp that is off by more than 300 seconds is refused.
 */
export const verifySignature = (secret: string, { headers, body }: ReceivedWebhook, nowSeconds: number): boolean => {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  if (!WHOLE_SECONDS.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = digest(secret, id, timestamp, body);
  return signatures.split(' ').some((signature) => isSame(signature, expected));
};

/** Headers of an attempt, except its signature. Pure. */
import type { Delivery } from './delivery.rules.ts';

/** Some firewalls refuse requests without `accept` (OWASP CRS 920300). */
export const CLIENT_HEADERS = { 'user-agent': 'data-connections-webhooks/1.0', accept: '*/*' };

/** Returns the time that an attempt signs, in whole seconds since the epoch: when the attempt was claimed. */
export const toSignedSeconds = (claimedMs: number): number => Math.floor(claimedMs / 1000);

/** Returns the headers of the last attempt; before the first, those that are known already. */
export const unsignedHeaders = ({ id, isTest, lastAttemptAt }: Delivery): Record<string, string> => ({
  ...CLIENT_HEADERS,
  'content-type': 'application/json',
  'webhook-id': id,
  ...(lastAttemptAt === null ? {} : { 'webhook-timestamp': String(toSignedSeconds(Date.parse(lastAttemptAt))) }),
  ...(isTest ? { 'webhook-test': 'true' } : {}),
});

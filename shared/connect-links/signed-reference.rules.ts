/**
 * References that an integrator's server signs and appends to the address of a standing link. Each reference makes at
 * most one connection. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CONNECT_LINK_LIMITS } from './limits.ts';

export const LINK_SECRET_PREFIX = 'svc_ls_';

const DAY_SECONDS = 86_400;
const HEX_SHA256 = /^[0-9a-f]{64}$/;

export interface SignedReference {
  reference: string;
  /** Seconds since 1970. */
  expires: number;
  /** HMAC-SHA256 in hexadecimal digits. */
  signature: string;
}

/** Returns the signature of a reference: HMAC-SHA256 over `<link id>.<reference>.<expires>`, in hexadecimal digits. */
export const signReference = (
  secret: string,
  linkId: string,
  { reference, expires }: Pick<SignedReference, 'reference' | 'expires'>,
): string => createHmac('sha256', secret).update(`${linkId}.${reference}.${expires}`).digest('hex');

/** True if the integrator signed this reference for this link, and its expiry is ahead but not too far. */
export const isSigned = (secret: string, linkId: string, signed: SignedReference, nowMs: number): boolean => {
  const ahead = signed.expires - nowMs / 1000;
  if (ahead <= 0 || ahead > CONNECT_LINK_LIMITS.signedReferenceDaysMax * DAY_SECONDS) return false;
  if (!HEX_SHA256.test(signed.signature)) return false;
  return timingSafeEqual(Buffer.from(signReference(secret, linkId, signed)), Buffer.from(signed.signature));
};

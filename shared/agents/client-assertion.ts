/** Verifies the assertion with which a client proves who it is (RFC 7523 §3). Stores nothing. */
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { now } from '#shared/platform/clock.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { AssertionAlgorithm, KeySet } from './client-keys.rules.ts';

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The assertion does not prove that it is the client's. The message says why and repeats nothing of the assertion. */
export class AssertionInvalid extends AppError {
  /** True if no published key fits, so that newer keys may. */
  readonly isKeyUnknown: boolean;
  constructor(why: string, { isKeyUnknown = false } = {}) {
    super(why);
    this.isKeyUnknown = isKeyUnknown;
  }
}

interface ExpectedAssertion {
  clientId: string;
  set: KeySet;
  algorithms: readonly AssertionAlgorithm[];
  /** One of them must be the audience, exactly. */
  audiences: readonly string[];
}

export interface ProvenAssertion {
  jti: string;
  /** From this instant on, the assertion has expired by every clock. */
  until: string;
}

const { assertionMs, assertionClockMs } = AGENT_LIMITS;

/** Returns the client that an assertion claims to be from, unproven; undefined if it names none. */
export const readClaimedClient = (assertion: string): string | undefined => {
  try {
    const { sub }: { sub?: unknown } = decodeJwt(assertion);
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
};

const explain = (error: unknown, algorithms: readonly string[]): AssertionInvalid => {
  if (error instanceof errors.JWTExpired) return new AssertionInvalid('the assertion has expired');
  if (error instanceof errors.JWTClaimValidationFailed)
    return new AssertionInvalid(`${error.claim} of the assertion is missing or not valid`);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return new AssertionInvalid(`alg of the assertion must be one of ${algorithms.join(', ')}`);
  if (error instanceof errors.JWKSNoMatchingKey)
    return new AssertionInvalid('no published key of the client fits the assertion', { isKeyUnknown: true });
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return new AssertionInvalid('several keys of the client fit the assertion: name one by kid');
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return new AssertionInvalid('the signature of the assertion does not fit');
  return new AssertionInvalid('the assertion is not valid');
};

const verifySignature = async (assertion: string, expected: ExpectedAssertion): Promise<JWTPayload> => {
  const { clientId, set, algorithms, audiences } = expected;
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(set as JSONWebKeySet), {
      algorithms: [...algorithms],
      issuer: clientId,
      subject: clientId,
      audience: [...audiences],
      requiredClaims: ['exp', 'jti'],
      currentDate: now(),
      clockTolerance: assertionClockMs / 1_000,
    });
    return payload;
  } catch (error) {
    throw explain(error, algorithms);
  }
};

/** @throws AssertionInvalid */
export const verifyAssertion = async (assertion: string, expected: ExpectedAssertion): Promise<ProvenAssertion> => {
  const { exp, iat, jti } = await verifySignature(assertion, expected);
  const nowMs = now().getTime();
  const [expiresMs, issuedMs] = [exp! * 1_000, (iat ?? nowMs / 1_000) * 1_000];
  if (issuedMs > nowMs + assertionClockMs) throw new AssertionInvalid('iat of the assertion is in the future');
  const isLong = expiresMs > issuedMs + assertionMs || expiresMs > nowMs + assertionMs + assertionClockMs;
  if (isLong) throw new AssertionInvalid(`the assertion is valid for more than ${assertionMs / 60_000} minutes`);
  if (typeof jti !== 'string' || jti === '') throw new AssertionInvalid('jti of the assertion is missing or not valid');
  return { jti, until: new Date(expiresMs + 2 * assertionClockMs).toISOString() };
};

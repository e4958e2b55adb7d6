/**
 * The dashboard session: a JWT in a cookie, checked against the configured issuer. Algorithm, issuer, audience and key
 * come from configuration, never from the token (decisions.md §2).
 */

import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { now } from '#shared/platform/clock.ts';
import { env, envOptional } from '#shared/platform/env.ts';
import { BASE_VARIABLES } from '#shared/platform/needs.ts';
import { readSecureString } from '#shared/platform/parameters.ts';
import { UUID_PATTERN } from '#shared/values/fields.ts';
import type { Caller } from './caller.ts';
import { SessionRejected } from './session-rejected.ts';

/** Minimum time between two fetches of the issuer's keys. An unknown `kid` causes a fetch. */
const JWKS_COOLDOWN_MS = 60_000;
const JWKS_TIMEOUT_MS = 5_000;
/** Shortest secret. RFC 7518 §3.2: the key must be at least as long as the hash. */
const SECRET_BYTES_MIN = 32;

type SigningKey = { secret: Uint8Array } | { keyOf: JWTVerifyGetKey };

let cached: { settings: string; key: Promise<SigningKey> } | undefined;

/**
 * Returns the shared secret. On AWS, the environment names the parameter with the secret. Only the local runner puts
 * the secret itself into the environment.
 */
const sharedSecret = async (): Promise<Uint8Array> => {
  const parameter = envOptional(BASE_VARIABLES.sessionSecretParameter);
  const text = parameter === undefined ? env(BASE_VARIABLES.sessionSecret) : await readSecureString(parameter);
  const secret = new TextEncoder().encode(text);
  if (secret.length < SECRET_BYTES_MIN)
    throw new Error(`the shared secret of sessions is shorter than ${SECRET_BYTES_MIN} bytes`);
  return secret;
};

const makeKey = async (algorithm: string): Promise<SigningKey> => {
  if (algorithm === 'HS256') return { secret: await sharedSecret() };
  if (algorithm !== 'ES256' && algorithm !== 'RS256') throw new Error('SESSION_ALGORITHM is not supported');
  const keyOf = createRemoteJWKSet(new URL(env(BASE_VARIABLES.sessionJwksUrl)), {
    cooldownDuration: JWKS_COOLDOWN_MS,
    timeoutDuration: JWKS_TIMEOUT_MS,
  });
  return { keyOf };
};

/**
 * Returns the key that checks signatures. There is one key per environment, so that its cache and cooldown work across
 * requests. If the key could not be fetched, the next call fetches it again.
 */
const signingKey = (algorithm: string): Promise<SigningKey> => {
  const names = [BASE_VARIABLES.sessionJwksUrl, BASE_VARIABLES.sessionSecret, BASE_VARIABLES.sessionSecretParameter];
  const settings = JSON.stringify([algorithm, ...names.map(envOptional)]);
  if (cached?.settings === settings) return cached.key;
  const fresh = { settings, key: makeKey(algorithm) };
  cached = fresh;
  fresh.key.catch(() => {
    if (cached === fresh) cached = undefined;
  });
  return fresh.key;
};

/** The last second of the year 9999. None of our formats can write a later instant. */
const EXPIRY_SECONDS_MAX = 253_402_300_799;

const verify = async (token: string): Promise<JWTPayload> => {
  const algorithm = env(BASE_VARIABLES.sessionAlgorithm);
  const key = await signingKey(algorithm);
  const options = {
    algorithms: [algorithm],
    issuer: env(BASE_VARIABLES.sessionIssuer),
    audience: env(BASE_VARIABLES.sessionAudience),
    requiredClaims: ['exp'],
    currentDate: now(),
  };
  const { payload } =
    'secret' in key ? await jwtVerify(token, key.secret, options) : await jwtVerify(token, key.keyOf, options);
  if (payload.exp! > EXPIRY_SECONDS_MAX) throw new errors.JWTInvalid('"exp" is not a valid time');
  return payload;
};

/**
 * jose's codes for failures to get the issuer's keys. Such failures are our fault and do not make a session invalid.
 */
const KEY_SET_CODES: ReadonlySet<string> = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

const isBadSession = (error: unknown): boolean => error instanceof errors.JOSEError && !KEY_SET_CODES.has(error.code);

const organizationOf = (payload: JWTPayload): string => {
  const id = (payload.app_metadata as { organization_id?: unknown } | undefined)?.organization_id;
  if (typeof id !== 'string' || !UUID_PATTERN.test(id))
    throw new SessionRejected('forbidden', 'This session belongs to no organization.');
  return id.toLowerCase();
};

/** The issuer signs any type: jose checks the type of neither claim. */
const textOr = <T>(claim: unknown, otherwise: T): string | T =>
  typeof claim === 'string' && claim.trim() !== '' ? claim : otherwise;

/** @throws SessionRejected */
export const callerOfSession = async (token: string): Promise<Caller> => {
  let payload: JWTPayload;
  try {
    payload = await verify(token);
  } catch (error) {
    if (!isBadSession(error)) throw error;
    throw new SessionRejected('unauthorized', 'The session is invalid or expired.');
  }
  const email = textOr(payload.email, undefined);
  return {
    organizationId: organizationOf(payload),
    kind: 'session',
    id: textOr(payload.sub, null),
    ...(email === undefined ? {} : { email }),
  };
};

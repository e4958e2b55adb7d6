import * as apiKeys from '#shared/auth/api-key.store.ts';
import { AUTH_LIMITS } from '#shared/auth/limits.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { ApiError, invalidBody } from '#shared/http/response/errors.ts';
import { toApiKey } from '#shared/http/views/api-key.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

/**
 * First instant that is refused, because its UTC year has five digits: `9999-12-31T23:59-01:00` is already in the year
 * 10000.
 */
const TOO_LATE_MS = Date.parse('9999-12-31T23:59:59.999Z') + 1;

/** Returns the expiry in UTC with milliseconds, or null for a key that does not expire. */
const expiryOf = (sent: string | null | undefined, atMs: number): string | null => {
  if (sent === null || sent === undefined) return null;
  const expiresMs = Date.parse(sent);
  if (!(expiresMs > atMs)) throw invalidBody('expires_at must be in the future');
  if (expiresMs >= TOO_LATE_MS) throw invalidBody('expires_at must be before the year 10000');
  return new Date(expiresMs).toISOString();
};

const refusal = (error: unknown, id: string): unknown => {
  if (error instanceof apiKeys.TooManyApiKeys)
    return invalidBody(`an organization may have at most ${AUTH_LIMITS.apiKeysPerOrganizationMax} API keys`);
  // An earlier request with this Idempotency-Key created the key, but its response, and with it the token, was lost.
  if (error instanceof apiKeys.ApiKeyExists)
    return new ApiError('idempotency_key_reused', `This Idempotency-Key was already used: it made API key ${id}.`);
  return error;
};

export const createApiKey: Logic<typeof contract> = async ({ caller, cause, body, newId }) => {
  const atMs = nowMs();
  const id = newId();
  const expiresAt = expiryOf(body.expires_at, atMs);
  const createdAt = new Date(atMs).toISOString();
  const { key, token } = await apiKeys
    .create(caller.organizationId, { id, name: body.name, expiresAt, createdAt }, cause)
    .catch((error: unknown) => {
      throw refusal(error, id);
    });
  return { status: 201, body: { data: { ...toApiKey(key, atMs), key: token } } };
};

export const handler = endpoint(contract, createApiKey);

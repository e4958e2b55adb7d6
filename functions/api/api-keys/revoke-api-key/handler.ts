import * as apiKeys from '#shared/auth/api-key.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toApiKey } from '#shared/http/views/api-key.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const revokeApiKey: Logic<typeof contract> = async ({ caller, cause, params }) => {
  const key = await apiKeys.revoke(caller.organizationId, params.id, nowIso(), cause);
  if (!key) throw notFound('api_key_not_found');
  return { status: 200, body: { data: toApiKey(key, nowMs()) } };
};

export const handler = endpoint(contract, revokeApiKey);

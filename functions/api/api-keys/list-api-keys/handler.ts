import * as apiKeys from '#shared/auth/api-key.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { toApiKey } from '#shared/http/views/api-key.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const listApiKeys: Logic<typeof contract> = async ({ caller }) => {
  const keys = await apiKeys.list(caller.organizationId);
  const atMs = nowMs();
  return { status: 200, body: { data: keys.map((key) => toApiKey(key, atMs)) } };
};

export const handler = endpoint(contract, listApiKeys);

import { isRedeemed } from '#shared/agents/grant.rules.ts';
import * as grants from '#shared/agents/grant.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { toGrant } from '#shared/http/views/grant.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const listGrants: Logic<typeof contract> = async ({ caller }) => {
  const found = (await grants.list(caller.organizationId)).filter(isRedeemed);
  const atMs = nowMs();
  return { status: 200, body: { data: found.map((grant) => toGrant(grant, atMs)) } };
};

export const handler = endpoint(contract, listGrants);

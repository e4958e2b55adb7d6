import { isRedeemed } from '#shared/agents/grant.rules.ts';
import * as grants from '#shared/agents/grant.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toGrant } from '#shared/http/views/grant.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const revokeGrant: Logic<typeof contract> = async ({ caller: { organizationId }, cause, params }) => {
  const known = await grants.find(organizationId, params.id);
  // Reports a grant whose code was not redeemed as missing, because the list of grants also omits it.
  if (known === undefined || !isRedeemed(known)) throw notFound('grant_not_found');
  const revoked = await grants.revoke(organizationId, params.id, { at: nowIso(), reason: 'person' }, cause);
  if (revoked === undefined) throw notFound('grant_not_found');
  return { status: 200, body: { data: toGrant(revoked.grant, nowMs()) } };
};

export const handler = endpoint(contract, revokeGrant);

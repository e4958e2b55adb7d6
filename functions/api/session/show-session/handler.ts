import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { contract } from './contract.ts';

export const showSession: Logic<typeof contract> = async ({ caller }) => ({
  status: 200,
  body: { data: { organization_id: caller.organizationId, person_id: caller.id, email: caller.email ?? null } },
  headers: { 'cache-control': 'no-store' },
});

export const handler = endpoint(contract, showSession);

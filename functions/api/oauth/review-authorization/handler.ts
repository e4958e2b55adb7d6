import { readQuestion } from '#shared/agents/authorize.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { askedPerson, nobodyAsks } from '../asked-person.ts';
import { contract } from './contract.ts';

const DAY_MS = 86_400_000;

export const reviewAuthorization: Logic<typeof contract> = async ({ caller, body: { query } }) => {
  const question = await readQuestion(query, await askedPerson(caller));
  if (question.kind === 'page') throw nobodyAsks(question.finding);
  if (question.kind === 'redirect') {
    const { to, target } = question;
    return { status: 200, body: { data: { kind: 'redirect', to, redirect_host: target.host } } };
  }
  const { client, request, target, digest } = question;
  const readable = await connections.list(caller.organizationId);
  const data = {
    kind: 'consent',
    client: { id: client.id, name: client.name, publisher: client.publisher },
    redirect_kind: target.kind,
    redirect_host: target.host,
    scope: request.scope,
    organization_id: caller.organizationId,
    connections: readable.map(({ id, name, source }) => ({ id, name, external_source_code: source })),
    days: LIMITS.grantMs / DAY_MS,
    digest,
  };
  return { status: 200, body: { data } };
};

export const handler = endpoint(contract, reviewAuthorization);

import { readQuestion } from '#shared/agents/authorize.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import * as connectionStore from '#shared/connections/connection.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { askedPerson, nobodyAsks } from '../asked-person.ts';
import { contract } from './contract.ts';

const DAY_MS = 86_400_000;

export const reviewAuthorization: Logic<typeof contract> = async ({ caller, body: { query } }) => {
  const { asked: person, headers } = await askedPerson(caller);
  const question = await readQuestion(query, person);
  if (question.kind === 'page') throw nobodyAsks(question.finding);
  const { kind, client, target } = question;
  const asked =
    question.kind === 'consent'
      ? { scope: question.request.scope, digest: question.digest, to: null }
      : { scope: null, digest: null, to: question.to };
  const connections = await connectionStore.list(caller.organizationId);
  const data = {
    kind,
    client: { id: client.id, name: client.name, publisher: client.publisher },
    redirect_kind: target.kind,
    redirect_host: target.host,
    organization_id: caller.organizationId,
    connections: connections.map(({ id, name, source }) => ({ id, name, external_source_code: source })),
    days: AGENT_LIMITS.grantMs / DAY_MS,
    ...asked,
  };
  return { status: 200, body: { data }, headers };
};

export const handler = endpoint(contract, reviewAuthorization);

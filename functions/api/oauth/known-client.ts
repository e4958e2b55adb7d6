/** The client of a request that contains only its id: all clients here are public ones. */
import { readClientId } from '#shared/agents/client-id.rules.ts';
import { clientPolicy } from '#shared/agents/client-policy.ts';
import { oauthError, required } from './oauth-answers.ts';

/** Throws `invalid_client`, 401, for an id that no client can have; the client's document is not fetched here. */
export const clientIdOf = (form: ReadonlyMap<string, string>): string => {
  const id = required(form, 'client_id');
  if (readClientId(id, clientPolicy()) === undefined)
    throw oauthError('invalid_client', 'client_id is unknown', { status: 401 });
  return id;
};

/** Identifies the client of a request by its id only, because all clients of this API are public clients. */
import { readClientId } from '#shared/agents/client-id.rules.ts';
import { clientPolicy } from '#shared/agents/client-policy.ts';
import { oauthError, required } from './oauth-answers.ts';

/**
 * Returns the client's id without fetching the client's document. Throws `invalid_client`, 401, for an id that no
 * client can have.
 */
export const requireClientId = (form: ReadonlyMap<string, string>): string => {
  const id = required(form, 'client_id');
  if (readClientId(id, clientPolicy()) === undefined)
    throw oauthError('invalid_client', 'client_id is unknown', { status: 401 });
  return id;
};

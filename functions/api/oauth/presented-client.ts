/** Reads who the client of a request says it is, and with which proof (RFC 6749 §3.2.1, RFC 7523 §2.2). */
import { ClientRefused, type PresentedClient } from '#shared/agents/authenticate-client.ts';
import { ASSERTION_TYPE, readClaimedClient } from '#shared/agents/client-assertion.ts';
import { readClientId } from '#shared/agents/client-id.rules.ts';
import { clientPolicy } from '#shared/agents/client-policy.ts';
import { oauthError, required } from './oauth-answers.ts';

type Form = ReadonlyMap<string, string>;

const invalidClient = (description: string) => oauthError('invalid_client', description, { status: 401 });

const readAssertion = (form: Form): string | null => {
  const [type, assertion] = [form.get('client_assertion_type'), form.get('client_assertion')];
  if (type === undefined && assertion === undefined) return null;
  if (type !== ASSERTION_TYPE) throw invalidClient(`client_assertion_type must be ${ASSERTION_TYPE}`);
  return required(form, 'client_assertion');
};

/**
 * Returns the client without fetching anything. A client with an assertion may leave out `client_id`. Throws
 * `invalid_client`, 401, for an id that no client can have.
 */
export const readPresentedClient = (form: Form): PresentedClient => {
  const assertion = readAssertion(form);
  const claimed = assertion === null ? undefined : readClaimedClient(assertion);
  const clientId = form.get('client_id') ?? claimed ?? required(form, 'client_id');
  if (readClientId(clientId, clientPolicy()) === undefined) throw invalidClient('client_id is unknown');
  return { clientId, assertion };
};

/** Turns the refusal of a client into the error of the standard; rethrows every other error. */
export const refuseClient = (error: unknown): never => {
  if (!(error instanceof ClientRefused)) throw error;
  if (!error.isTemporary) throw invalidClient(error.message);
  throw oauthError('temporarily_unavailable', error.message, { status: 503, headers: { 'retry-after': '60' } });
};

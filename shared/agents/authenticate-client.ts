/**
 * Authenticates a client for tokens. A client without an assertion is let in only if its grant is one of a public
 * client; an assertion that is sent is always verified, also of a public client.
 */
import { AppError } from '#shared/values/app-error.ts';
import { AGENT_PATHS } from './addresses.ts';
import { AssertionInvalid, verifyAssertion } from './client-assertion.ts';
import { isTemporaryFault } from './client-document.client.ts';
import type { ClientAuth } from './client-id.rules.ts';
import type { ClientKeys, KeySet } from './client-keys.rules.ts';
import { AssertionReplayed, spendAssertion } from './client-keys.store.ts';
import { findClient } from './find-client.ts';
import { findClientKeys, refetchClientKeys } from './find-client-keys.ts';
import { publicOrigin } from './public-origin.ts';

/** The client has not proved who it is. Nothing was changed. */
export class ClientRefused extends AppError {
  /** True if the same request may succeed later, because the client's keys are not available now. */
  readonly isTemporary: boolean;
  constructor(why: string, { isTemporary = false } = {}) {
    super(why);
    this.isTemporary = isTemporary;
  }
}

/** The client of a request as it presents itself. */
export interface PresentedClient {
  clientId: string;
  /** The client's signed assertion; null if it sent none. */
  assertion: string | null;
}

/** @throws ClientRefused */
export type ProveClient = (auth: ClientAuth | null) => Promise<void>;

const readKeys = async (clientId: string): Promise<ClientKeys> => {
  const { client, isTemporary } = await findClient(clientId);
  if (client === undefined) throw new ClientRefused('the document of the client cannot be read', { isTemporary });
  if (client.keys === null) throw new ClientRefused('the client publishes no keys for an assertion');
  return client.keys;
};

const readKeySet = async (clientId: string, keys: ClientKeys): Promise<KeySet> => {
  const { set, fault } = await findClientKeys(clientId, keys);
  if (set !== undefined) return set;
  throw new ClientRefused('the keys of the client cannot be read', { isTemporary: isTemporaryFault(fault) });
};

const prove = async (clientId: string, assertion: string): Promise<void> => {
  const keys = await readKeys(clientId);
  const origin = publicOrigin();
  const { algorithms } = keys;
  const audiences = [origin, `${origin}${AGENT_PATHS.token}`];
  const verify = (set: KeySet) => verifyAssertion(assertion, { clientId, set, algorithms, audiences });
  const proven = await verify(await readKeySet(clientId, keys)).catch(async (error: unknown) => {
    const isKeyUnknown = error instanceof AssertionInvalid && error.isKeyUnknown;
    const newer = isKeyUnknown ? await refetchClientKeys(clientId, keys) : undefined;
    if (newer === undefined) throw error;
    return verify(newer);
  });
  await spendAssertion(clientId, proven.jti, proven.until);
};

const authenticate = async ({ clientId, assertion }: PresentedClient, auth: ClientAuth | null): Promise<void> => {
  if (assertion === null) {
    if (auth !== null) throw new ClientRefused('client_assertion is missing: the client authenticates by it');
    return;
  }
  try {
    await prove(clientId, assertion);
  } catch (error) {
    if (error instanceof AssertionReplayed) throw new ClientRefused('the assertion was used before');
    throw error instanceof AssertionInvalid ? new ClientRefused(error.message) : error;
  }
};

/** Returns a proof that is made at most once, because a request may be decided several times. */
export const proveOnce = (client: PresentedClient): ProveClient => {
  let proof: Promise<void> | undefined;
  return (auth) => {
    proof ??= authenticate(client, auth);
    return proof;
  };
};

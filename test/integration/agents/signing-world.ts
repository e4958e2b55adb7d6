/** A person, a key and clients that sign assertions with it, over one table. Call `useSigningWorld` in a test file. */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import type { Credential } from '#test/helpers/callers.ts';
import type { Answered } from '#test/helpers/http.ts';
import { codeFor, type Parameters, redeem, type Tokens, tokensOf } from '#test/helpers/oauth.ts';
import { sessionCookie, useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import {
  asParameters,
  type Claims,
  newKey,
  type SigningClient,
  type SigningKey,
  signAssertion,
  startSigningClient,
} from '#test/helpers/signing-client.ts';

const AT = Date.parse('2026-11-27T12:00:00.000Z');
export const AT_SECONDS = AT / 1_000;
const ORGANIZATION = '00000000-0000-4000-8000-00000000a55e';
export const running: SigningClient[] = [];
let table: EngineTable;
/** Set before the first test. */
export let key: SigningKey;
/** Another one for each test. */
export let person: Credential;

export const useSigningWorld = (): void => {
  let organizations = 0;
  beforeAll(async () => {
    table = await startEngineTable();
    useSharedSecretIssuer();
    process.env.CLIENT_LOOPBACK_ALLOWED = 'true';
    plantClock(() => AT);
    key = await newKey('first');
  });
  beforeEach(async () => {
    plantClock(() => AT);
    const organizationId = ORGANIZATION.slice(0, -8) + String(++organizations).padStart(8, '0');
    person = { cookies: await sessionCookie(organizationId) };
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(running.splice(0).map((each) => each.stop()));
  });
  afterAll(async () => {
    plantClock(undefined);
    await table.stop();
  });
};

export const later = (ms: number): void => plantClock(() => AT + ms);

export const started = async (changes: object = {}, keys = [key.jwk]): Promise<SigningClient> => {
  const client = await startSigningClient(keys, changes);
  running.push(client);
  return client;
};

export const sign = async ({ application }: SigningClient, changes: Claims = {}, by = key): Promise<Parameters> =>
  asParameters(await signAssertion(application, by, changes));

export const tokensBy = async (client: SigningClient): Promise<Tokens> => {
  const answer = await redeem(client.application, await codeFor(person, client.application), await sign(client));
  if (answer.status !== 200) throw new Error(answer.text);
  return tokensOf(answer);
};

export const outcome = ({ status, body }: Answered): [number, string | undefined] => [status, body.error];
export const REFUSED = [401, 'invalid_client'];

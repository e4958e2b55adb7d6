/** A client that publishes its document and keys on this machine, and signs assertions (RFC 7523). */
import { randomUUID } from 'node:crypto';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from 'jose';
import { nowSeconds } from '#shared/platform/clock.ts';
import { type Receiver, startReceiver } from '../integration/webhooks/receiver.ts';
import { type Application, newVerifier, ORIGIN, type Parameters, REDIRECT } from './oauth.ts';

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export interface SigningKey {
  kid: string;
  alg: string;
  pair: GenerateKeyPairResult;
  jwk: JWK;
}

export const newKey = async (kid: string, alg = 'RS256'): Promise<SigningKey> => {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, pair, jwk: { ...(await exportJWK(pair.publicKey)), kid, use: 'sig' } };
};

export interface SigningClient {
  application: Application;
  receiver: Receiver;
  /** Number of times that the keys were fetched. */
  keyFetches(): number;
  /** Answer at the address of the keys from now on: keys, a text, or a status. */
  publish(keys: readonly JWK[] | string | number): void;
  /** Changes fields of the document from now on. */
  describe(changes: object): void;
  stop(): Promise<void>;
}

const DOCUMENT_PATH = '/client.json';
const KEYS_PATH = '/keys.json?v=1';

export const startSigningClient = async (keys: readonly JWK[], changes: object = {}): Promise<SigningClient> => {
  let published: readonly JWK[] | string | number = keys;
  let document: object = {};
  const receiver = await startReceiver((request, response) => {
    const isDocument = request.url === DOCUMENT_PATH;
    const body = isDocument ? document : typeof published === 'object' ? { keys: published } : published;
    const status = typeof body === 'number' ? body : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const origin = `http://127.0.0.1:${receiver.port}`;
  const clientId = origin + DOCUMENT_PATH;
  const describe = (changed: object) => {
    document = {
      client_id: clientId,
      client_name: 'Signing agent',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: origin + KEYS_PATH,
      ...changed,
    };
  };
  describe(changes);
  return {
    application: { clientId, redirectUri: REDIRECT, verifier: newVerifier() },
    receiver,
    keyFetches: () => receiver.received.filter(({ path }) => path === KEYS_PATH).length,
    publish: (answer) => {
      published = answer;
    },
    describe,
    stop: () => receiver.stop(),
  };
};

/** Claims of an assertion; undefined leaves a claim out. */
export type Claims = Readonly<Record<string, unknown>>;

/** Claims of a good assertion, with changes. */
const claimsOf = ({ clientId }: Application, changes: Claims): Claims => ({
  iss: clientId,
  sub: clientId,
  aud: ORIGIN,
  iat: nowSeconds(),
  exp: nowSeconds() + 60,
  jti: randomUUID(),
  ...changes,
});

export const signAssertion = (
  application: Application,
  { kid, alg, pair }: SigningKey,
  changes: Claims = {},
): Promise<string> =>
  new SignJWT(claimsOf(application, changes)).setProtectedHeader({ alg, kid }).sign(pair.privateKey);

/** An assertion without a signature, or signed with the public key as a secret. */
export const forgeAssertion = async (
  application: Application,
  { kid, jwk }: SigningKey,
  alg: 'none' | 'HS256',
): Promise<string> => {
  const secret = new TextEncoder().encode(JSON.stringify(jwk).padEnd(32));
  const signed = await new SignJWT(claimsOf(application, {})).setProtectedHeader({ alg: 'HS256', kid }).sign(secret);
  if (alg === 'HS256') return signed;
  const header = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url');
  return `${header}.${signed.split('.')[1]}.`;
};

export const asParameters = (assertion: string): Parameters => ({
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: assertion,
});

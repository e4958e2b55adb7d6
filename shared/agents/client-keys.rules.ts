/** Reads the public keys with which a client signs its assertions (RFC 7517, RFC 7523). Pure. */
import * as z from 'zod';
import { parseJson } from '#shared/values/parse-json.ts';

export const ASSERTION_ALGORITHMS = ['ES256', 'RS256', 'PS256'] as const;
export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number];

const KEYS_MAX = 50;

/** A symmetric key has `k`, a private key has `d`: a client that publishes one of them has lost it. */
const PublicKeySchema = z.looseObject({ kty: z.string() }).refine((key) => !('d' in key) && !('k' in key));
const KeySetSchema = z.object({ keys: z.array(PublicKeySchema).min(1).max(KEYS_MAX) });
export interface KeySet extends z.infer<typeof KeySetSchema> {}

/** Where the keys are, and which algorithms an assertion may name. */
export interface ClientKeys {
  from: { set: KeySet; url?: never } | { set?: never; url: string };
  algorithms: readonly AssertionAlgorithm[];
}

/** Returns the key set; undefined if it is not a set of public keys only. */
export const readKeySet = (set: unknown): KeySet | undefined => KeySetSchema.safeParse(set).data;

/** Returns the key set in the answer of a client's server. */
export const parseKeySet = (text: string): KeySet | undefined => readKeySet(parseJson(text));

/** Fields of a client's document (RFC 7591 §2). */
export interface PublishedKeys {
  jwks?: unknown;
  jwks_uri?: string | null | undefined;
  token_endpoint_auth_signing_alg?: string | null | undefined;
}

export type ReadKeys = { keys: ClientKeys; finding?: never } | { keys?: never; finding: string };

const isKeysUrl = (text: string, isLoopbackAllowed: boolean): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (isLoopbackAllowed && protocol === 'http:' && hostname === '127.0.0.1');
};

const readAlgorithms = (only: string | null | undefined): readonly AssertionAlgorithm[] =>
  ASSERTION_ALGORITHMS.filter((algorithm) => (only ?? algorithm) === algorithm);

/** Reads where a client publishes its keys. `jwks` wins, because it needs no further request. */
export const readPublishedKeys = (
  { jwks, jwks_uri: url, token_endpoint_auth_signing_alg: only }: PublishedKeys,
  { isLoopbackAllowed }: { isLoopbackAllowed: boolean },
): ReadKeys => {
  const algorithms = readAlgorithms(only);
  if (algorithms.length === 0)
    return { finding: `token_endpoint_auth_signing_alg is none of ${ASSERTION_ALGORITHMS.join(', ')}` };
  if ((jwks ?? null) !== null) {
    const set = readKeySet(jwks);
    return set === undefined
      ? { finding: 'jwks is not a set of public keys' }
      : { keys: { from: { set }, algorithms } };
  }
  if (url === null || url === undefined) return { finding: 'private_key_jwt needs jwks_uri or jwks' };
  return isKeysUrl(url, isLoopbackAllowed)
    ? { keys: { from: { url }, algorithms } }
    : { finding: 'jwks_uri is not an https address' };
};

/** Reads the document that a client publishes about itself (client ID metadata documents; RFC 7591 §2). Pure. */
import * as z from 'zod';
import { parseJson } from '#shared/values/parse-json.ts';
import {
  acceptable,
  type Client,
  type ClientAuth,
  type ClientPolicy,
  RedirectUrisSchema,
  shownName,
  wantsRefresh,
} from './client-id.rules.ts';
import { readPublishedKeys } from './client-keys.rules.ts';

const DocumentSchema = z.object({
  client_id: z.string(),
  client_name: z.string(),
  redirect_uris: RedirectUrisSchema,
  token_endpoint_auth_method: z.string().nullish(),
  token_endpoint_auth_methods_supported: z.array(z.string()).nullish(),
  token_endpoint_auth_signing_alg: z.string().nullish(),
  jwks: z.unknown().optional(),
  jwks_uri: z.string().nullish(),
  grant_types: z.array(z.string()).nullish(),
});
type Document = z.infer<typeof DocumentSchema>;

export type PublishedClient =
  | { client: Client; finding?: never }
  /** Says what is wrong with the document, in fixed words. */
  | { client?: never; finding: string };

/**
 * A client that prefers another method is public if it lists `none`, as ChatGPT does. Undefined for a client without a
 * method of this server.
 */
const readAuth = (document: Document): ClientAuth | null | undefined => {
  const { token_endpoint_auth_method: preferred, token_endpoint_auth_methods_supported: others } = document;
  const methods = [preferred, ...(others ?? [])].filter((method) => typeof method === 'string');
  if (methods.length === 0 || methods.includes('none')) return null;
  return methods.includes('private_key_jwt') ? 'private_key_jwt' : undefined;
};

/** Keys of a public client are optional, so what is wrong with them is no finding. */
const readKeys = (document: Document, policy: ClientPolicy): Pick<Client, 'auth' | 'keys'> | { finding: string } => {
  const auth = readAuth(document);
  if (auth === undefined)
    return {
      finding:
        'token_endpoint_auth_method is neither none nor private_key_jwt, and token_endpoint_auth_methods_supported lacks them',
    };
  const { keys, finding } = readPublishedKeys(document, policy);
  return keys === undefined && auth !== null ? { finding } : { auth, keys: keys ?? null };
};

/** Reads the document published at `id`. */
export const readDocument = (id: string, text: string, policy: ClientPolicy): PublishedClient => {
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { finding: 'it is no JSON object' };
  const { data, error } = DocumentSchema.safeParse(json);
  if (data === undefined) return { finding: `${String(error.issues[0]?.path[0])} is missing or not valid` };
  if (data.client_id !== id) return { finding: 'client_id is not the address of the document' };
  const proof = readKeys(data, policy);
  if ('finding' in proof) return proof;
  const redirectUris = acceptable(data.redirect_uris, policy);
  if (redirectUris.length === 0)
    return { finding: 'none of redirect_uris is an https address or one of a local program' };
  const name = shownName(data.client_name);
  if (name === '') return { finding: 'client_name is empty' };
  const mayRefresh = wantsRefresh(data.grant_types);
  return { client: { id, name, publisher: new URL(id).host, redirectUris, mayRefresh, ...proof } };
};

/**
 * Identifies clients. An id either contains the whole registration of the client, which is stored nowhere else, or is
 * the address of a client ID metadata document (client-document.rules.ts). Both kinds give the same type `Client`. Pure.
 */
import * as z from 'zod';
import { parseJson } from '#shared/values/parse-json.ts';
import { visibleText } from '#shared/values/visible-text.ts';
import type { ClientKeys } from './client-keys.rules.ts';
import { judgeRedirectUri } from './redirect-uri.rules.ts';

export interface ClientPolicy {
  /** Allowed redirect addresses with the scheme of an app. */
  appUris: readonly string[];
  /** True if a client document may be on this computer. True only on the local stage. */
  isLoopbackAllowed: boolean;
}

export interface Client {
  id: string;
  /** Name that the client gives itself; empty if it gives no name. */
  name: string;
  /** Host that published the name; null if no host published it. */
  publisher: string | null;
  redirectUris: readonly string[];
  /** True if the client may get refresh tokens. */
  mayRefresh: boolean;
  /** How the client must authenticate for tokens; null for a public client. */
  auth: ClientAuth | null;
  /** Keys of its assertions; null if it publishes no usable keys. */
  keys: ClientKeys | null;
}

/** A method with which a client must prove who it is (RFC 7591 §2). */
export const CLIENT_AUTHS = ['private_key_jwt'] as const;
export type ClientAuth = (typeof CLIENT_AUTHS)[number];

/** Fields of a client that publishes no keys. */
const PUBLIC = { auth: null, keys: null } as const;

const NAME_CHARS_MAX = 100;
const REGISTERED_PREFIX = 'dcr1.';
const REGISTERED_CHARS_MAX = 4_000;
const REDIRECT_URIS_MAX = 20;
const ID_CHARS_MAX = 2_048;

/** Quotation marks but no apostrophes. The page puts a name in quotation marks; its own could seem to end them. */
const QUOTES = /(?!['’])[\p{Quotation_Mark}❛-❠]/gu;

/** Clients that registered until 2026-11-27 may have quotation marks in their ids. */
const visibleLine = (text: string): string =>
  [...visibleText(text).replaceAll(/\s+/g, ' ')].slice(0, NAME_CHARS_MAX).join('').trim();

/** Returns a name as it is displayed: one line of visible characters without quotation marks. */
export const shownName = (text: string): string => visibleLine(text.replaceAll(QUOTES, ''));

export const wantsRefresh = (grantTypes: readonly string[] | null | undefined): boolean =>
  grantTypes?.includes('refresh_token') ?? false;

export const acceptable = (uris: readonly string[], { appUris }: ClientPolicy): string[] =>
  [...new Set(uris)].filter((uri) => judgeRedirectUri(uri, appUris) !== undefined);

/** Redirect addresses of a client of any kind. */
export const RedirectUrisSchema = z.array(z.string()).min(1).max(REDIRECT_URIS_MAX);

/** Content of a registered id. The order of the fields is fixed, so that a client has only one id. */
const RegisteredSchema = z.strictObject({
  name: z.string().refine((name) => visibleLine(name) === name),
  redirect_uris: RedirectUrisSchema,
  refresh: z.boolean(),
});
type Registered = z.infer<typeof RegisteredSchema>;

const registeredId = ({ name, redirect_uris, refresh }: Registered): string =>
  REGISTERED_PREFIX + Buffer.from(JSON.stringify({ name, redirect_uris, refresh })).toString('base64url');

const registeredClient = (id: string, policy: ClientPolicy): Client | undefined => {
  if (id.length > REGISTERED_CHARS_MAX) return undefined;
  const text = Buffer.from(id.slice(REGISTERED_PREFIX.length), 'base64url').toString();
  const { data } = RegisteredSchema.safeParse(parseJson(text));
  // Encoding the content again must give the same id, so that no client has two ids.
  if (data === undefined || registeredId(data) !== id) return undefined;
  if (acceptable(data.redirect_uris, policy).length < data.redirect_uris.length) return undefined;
  const { name, redirect_uris: redirectUris, refresh: mayRefresh } = data;
  return { id, name: shownName(name), publisher: null, redirectUris, mayRefresh, ...PUBLIC };
};

/** True for an https URL with a path in the browser's spelling: no dot segments and no unusual form of the host. */
const isDocumentUrl = (id: string, { isLoopbackAllowed }: ClientPolicy): boolean => {
  if (id.length > ID_CHARS_MAX || !URL.canParse(id)) return false;
  const { href, protocol, hostname, pathname, search, hash, username, password } = new URL(id);
  if (href !== id || pathname === '/' || `${search}${hash}${username}${password}` !== '') return false;
  // A `?` or `#` at the end leaves `search` and `hash` empty, so the text of the id is checked.
  if (/[?#@]/.test(id)) return false;
  return protocol === 'https:' || (isLoopbackAllowed && protocol === 'http:' && hostname === '127.0.0.1');
};

export type ReadClientId =
  | { kind: 'registered'; client: Client }
  /** The client is described in the document at this URL. */
  | { kind: 'document'; url: string };

/** Returns the client or its document URL. Returns undefined for an id that no client can have. */
export const readClientId = (id: string, policy: ClientPolicy): ReadClientId | undefined => {
  if (!id.startsWith(REGISTERED_PREFIX)) return isDocumentUrl(id, policy) ? { kind: 'document', url: id } : undefined;
  const client = registeredClient(id, policy);
  return client && { kind: 'registered', client };
};

/** RFC 7591 §2. Other metadata of the client is ignored. Null counts as absent: Go, C# and Java write it. */
const RegistrationSchema = z.object({
  redirect_uris: z.array(z.string()).min(1),
  client_name: z.string().nullish(),
  grant_types: z.array(z.string()).nullish(),
});

export type Registration =
  | { client: Client; error?: never; description?: never }
  /** Error codes of RFC 7591 §3.2.2. */
  | { client?: never; error: 'invalid_redirect_uri' | 'invalid_client_metadata'; description: string };

const refuse = (error: 'invalid_redirect_uri' | 'invalid_client_metadata', description: string): Registration => ({
  error,
  description,
});

/** Checks a registration. Redirect addresses to which answers are never sent are left out. */
export const judgeRegistration = (sent: unknown, policy: ClientPolicy): Registration => {
  const { data } = RegistrationSchema.safeParse(sent);
  if (data === undefined)
    return refuse('invalid_client_metadata', 'redirect_uris must be a list, client_name a text, grant_types a list');
  const redirectUris = acceptable(data.redirect_uris, policy);
  if (redirectUris.length === 0)
    return refuse('invalid_redirect_uri', 'none of redirect_uris is an https address or one of a local program');
  if (redirectUris.length > REDIRECT_URIS_MAX)
    return refuse('invalid_redirect_uri', `redirect_uris must be at most ${REDIRECT_URIS_MAX}`);
  const name = shownName(data.client_name ?? '');
  const mayRefresh = wantsRefresh(data.grant_types);
  const id = registeredId({ name, redirect_uris: redirectUris, refresh: mayRefresh });
  if (id.length > REGISTERED_CHARS_MAX)
    return refuse('invalid_client_metadata', 'client_name and redirect_uris are too long together');
  return { client: { id, name, publisher: null, redirectUris, mayRefresh, ...PUBLIC } };
};

/**
 * Validates the authorization request of a client (RFC 6749 §4.1.1 as narrowed by OAuth 2.1, RFC 7636, 8707, 9207).
 * Until client and redirect address are known to belong together, errors are shown on the page; afterwards, errors are
 * sent to the client. Pure.
 */

import { createHash } from 'node:crypto';
import { DATA_SCOPE } from '#shared/values/access-scope.ts';
import { mustGet } from '#shared/values/must-get.ts';
import type { Client } from './client-id.rules.ts';
import { findRedirectUri, type RedirectTarget } from './redirect-uri.rules.ts';

export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  /** Challenge of the S256 method, base64url. */
  challenge: string;
  scope: string;
  resource: string;
  state: string | undefined;
}

export type Addressee =
  | { clientId: string; redirectUri: string; finding?: never }
  /** Error for the page, because there is no trusted address to redirect to. */
  | { clientId?: never; redirectUri?: never; finding: string };

export type CheckedRequest =
  | { kind: 'page'; finding: string }
  /** Error for the client, by redirect. */
  | { kind: 'redirect'; to: string; target: RedirectTarget }
  | { kind: 'consent'; request: AuthorizationRequest; target: RedirectTarget };

export interface Server {
  issuer: string;
  resource: string;
  /** Allowed redirect addresses with the scheme of an app. */
  appUris: readonly string[];
}

const STATE_CHARS_MAX = 4_096;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
/**
 * Character that replaces invalid bytes. A `state` with this character is refused, because the client would not get
 * back the bytes that it sent.
 */
const REPLACED = '\ufffd';

type Parameters = ReadonlyMap<string, readonly string[]>;

/** A parameter without a value counts as absent (RFC 6749 §3.1). */
const parametersOf = (raw: string): Parameters => {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(raw))
    if (value !== '') query.set(name, [...(query.get(name) ?? []), value]);
  return query;
};

/**
 * Returns client and redirect address, if each is present exactly once. If one of them is missing, errors can only be
 * shown to the person.
 */
export const parseAddressee = (raw: string): Addressee => {
  const query = parametersOf(raw);
  const [clientIds = [], redirectUris = []] = [query.get('client_id'), query.get('redirect_uri')];
  const [clientId, redirectUri] = [clientIds[0], redirectUris[0]];
  if (clientId === undefined) return { finding: 'client_id is missing' };
  if (redirectUri === undefined) return { finding: 'redirect_uri is missing' };
  if (clientIds.length > 1) return { finding: 'client_id must be given once' };
  return redirectUris.length > 1 ? { finding: 'redirect_uri must be given once' } : { clientId, redirectUri };
};

/**
 * Returns the address to which the browser takes the answer: a code or an error. The query of the registered address
 * stays; `iss` identifies this server to the client (RFC 9207).
 */
export const answerTo = (
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  answer: Readonly<Record<string, string>>,
  issuer: string,
): string => {
  const parameters = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
};

interface RequestFault {
  error: string;
  description: string;
}

const fault = (error: string, description: string): RequestFault => ({ error, description });

/**
 * Returns the address with scheme and host in lower case. Case does not matter in scheme and host, but it matters in
 * all other characters (RFC 3986 §6.2.2.1).
 */
const withLowerCaseHost = (uri: string): string =>
  uri.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/, (authority) => authority.toLowerCase());

/** Name of the local stage's origin that clients may use. A deployed stage has an https origin. */
const LOCAL_NAME = /^http:\/\/localhost(?=:)/;

/** True for the resource of this server, which a client may write with one slash behind it. */
export const isResource = (asked: string | undefined, resource: string): boolean =>
  asked === undefined ||
  [resource, `${resource}/`].includes(withLowerCaseHost(asked).replace(LOCAL_NAME, 'http://127.0.0.1'));

const isState = (state: string): boolean => state.length <= STATE_CHARS_MAX && !state.includes(REPLACED);

/**
 * Returns the first error of the request, in the order in which errors are reported. Undefined if the request is valid.
 */
const faultOf = (query: Parameters, { resource }: Server): RequestFault | undefined => {
  const one = (name: string): string | undefined => query.get(name)?.[0];
  const [type, mode, state] = [one('response_type'), one('response_mode'), one('state')];
  if ([...query.values()].some(({ length }) => length > 1))
    return fault('invalid_request', 'a parameter was given more than once');
  if (state !== undefined && !isState(state)) return fault('invalid_request', 'state is too long or not valid text');
  if (query.has('request')) return fault('request_not_supported', 'request is not supported');
  if (query.has('request_uri')) return fault('request_uri_not_supported', 'request_uri is not supported');
  if (type === undefined) return fault('invalid_request', 'response_type is missing');
  if (type !== 'code') return fault('unsupported_response_type', 'response_type must be code');
  if (mode !== undefined && mode !== 'query') return fault('invalid_request', 'response_mode must be query');
  if (one('code_challenge_method') !== 'S256' || !CHALLENGE.test(one('code_challenge') ?? ''))
    return fault('invalid_request', 'code_challenge must be 43 characters of the method S256');
  if (!isResource(one('resource'), resource)) return fault('invalid_target', 'resource must be the one of this server');
  return undefined;
};

/** Returns the client's `state`, if it is present exactly once and valid. */
const stateOf = ([state, ...others]: readonly string[] = []): string | undefined =>
  state !== undefined && others.length === 0 && isState(state) ? state : undefined;

/** Validates the whole query of a known client. */
export const judgeRequest = (raw: string, client: Client, server: Server): CheckedRequest => {
  const { clientId, redirectUri, finding } = parseAddressee(raw);
  if (finding !== undefined) return { kind: 'page', finding };
  const target = clientId === client.id ? findRedirectUri(client.redirectUris, redirectUri, server.appUris) : undefined;
  if (target === undefined) return { kind: 'page', finding: 'redirect_uri is none of this client' };
  // The page would name this service as the place to which the person returns.
  if (new URL(redirectUri).origin === server.issuer) return { kind: 'page', finding: 'redirect_uri is this service' };
  const query = parametersOf(raw);
  const state = stateOf(query.get('state'));
  const found = faultOf(query, server);
  if (found !== undefined) {
    const { error, description: error_description } = found;
    const to = answerTo({ redirectUri, state }, { error, error_description }, server.issuer);
    return { kind: 'redirect', to, target };
  }
  const request: AuthorizationRequest = {
    clientId,
    redirectUri,
    challenge: mustGet(query, 'code_challenge').join(''),
    // There is one scope, so the server chooses it for every request (RFC 6749 §3.3).
    scope: DATA_SCOPE,
    resource: server.resource,
    state,
  };
  return { kind: 'consent', request, target };
};

/**
 * Returns the digest of a question to a person. Equal questions have equal digests, so a consent applies only to the
 * question that was shown.
 */
export const consentDigest = (
  raw: string,
  client: Client,
  asker: { organizationId: string; subject: string },
): string =>
  createHash('sha256')
    .update(JSON.stringify([raw, client, asker.organizationId, asker.subject]))
    .digest('base64url');

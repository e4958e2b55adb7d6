/**
 * Authenticates and authorizes callers (decisions.md §2). If an `Authorization` header is present, only the header
 * counts; otherwise the session cookie.
 */

import { isActive } from '#shared/agents/grant.rules.ts';
import { find as findGrant } from '#shared/agents/grant.store.ts';
import type { Caller } from '#shared/auth/caller.ts';
import { callerOfSession } from '#shared/auth/session.ts';
import { SESSION_COOKIE, sessionCookie } from '#shared/auth/session-cookie.ts';
import { findToken, isStampDue, isTokenForm, stampUse, type TokenRecord } from '#shared/auth/token.store.ts';
import type { Auth, EndpointContract } from '#shared/http/contract.ts';
import { type HttpEvent, readCookies, readHeader } from '#shared/http/request-context.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { type Patience, withPatience } from '#shared/platform/patience.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { refuseForeignPage } from './origin.ts';

const BY_KEY = 'Send an API key as `Authorization: Bearer svc_sk_…`';

const unauthorized = (message: string): ApiError =>
  new ApiError('unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });

/** Form of a JSON Web Token. Sessions have this form. */
const SESSION_FORM = /^(?:Bearer +)?[\w-]+\.[\w-]+\.[\w-]*$/i;

/**
 * Returns the error that explains why this header authenticates nobody. The error does not quote the header's value.
 */
const tokenRefusal = (header: string): ApiError => {
  if (SESSION_FORM.test(header.trim()))
    return unauthorized(`A session token is not an API key: it belongs in the cookie ${SESSION_COOKIE}. ${BY_KEY}.`);
  if (isTokenForm(header.trim())) return unauthorized(`The word Bearer is missing before the key. ${BY_KEY}.`);
  return unauthorized(`The token is invalid, revoked or expired. ${BY_KEY}.`);
};

const BEARER = /^Bearer +(\S+) *$/i;

/** Returns the token of a well-formed header, or undefined for any other header. */
export const bearerToken = (header: string): string | undefined => {
  const token = BEARER.exec(header)?.[1];
  return token !== undefined && isTokenForm(token) ? token : undefined;
};

/**
 * True if the token's credential is still valid. An access token is valid only while its grant is valid. This check
 * costs one more read and makes a list of revoked tokens unnecessary.
 */
const isHeld = async ({ kind, organizationId, credentialId }: TokenRecord): Promise<boolean> =>
  kind === 'key' || isActive(await findGrant(organizationId, credentialId), nowMs());

const isUsable = async (record: TokenRecord): Promise<boolean> =>
  record.revokedAt === null &&
  (record.expiresAt === null || Date.parse(record.expiresAt) > nowMs()) &&
  (await isHeld(record));

const NONE: Patience = () => 0;

/**
 * Logs a failed stamp, since the function may lack a permission. If another request stamped the use first, nothing is
 * logged, because nothing is lost.
 */
const tellUnlessTaken = (error: unknown): void => {
  if (!(error instanceof ConditionRefused)) log.warn('the use of a token was not recorded', describeError(error));
};

/**
 * Finds the caller of the API key or access token in the header `authorization`, and stamps its use. Returns undefined
 * if the header authenticates nobody. Used by endpoints that accept no sessions and have their own error answers.
 */
export const callerOfBearer = async (header: string): Promise<Caller | undefined> => {
  const token = bearerToken(header);
  const record = token === undefined ? undefined : await findToken(token);
  if (!record || !(await isUsable(record))) return undefined;
  // A lost stamp does no harm, so its failure must not refuse the request, and it does not wait for a busy table.
  if (isStampDue(record, nowMs())) await withPatience(NONE, () => stampUse(record, nowMs())).catch(tellUnlessTaken);
  const { organizationId, kind, credentialId: id, scope, resource } = record;
  return { organizationId, kind, id, ...(scope === null ? {} : { access: { scope, resource: resource ?? '' } }) };
};

const callerOfToken = async (header: string): Promise<Caller> => {
  const caller = await callerOfBearer(header);
  if (caller === undefined) throw tokenRefusal(header);
  return caller;
};

const ALLOWED: Readonly<Record<Exclude<Auth, 'public'>, ReadonlySet<Caller['kind']>>> = {
  read: new Set(['key', 'session', 'access-token']),
  manage: new Set(['key', 'session']),
  session: new Set(['session']),
  key: new Set(['key']),
};

const A_SESSION = `a dashboard session, in the cookie ${SESSION_COOKIE}`;

const refusal = (auth: Auth, kind: Caller['kind']): ApiError => {
  if (kind === 'access-token') return new ApiError('forbidden', 'OAuth access tokens cannot perform this action');
  return new ApiError('forbidden', `This action needs ${auth === 'key' ? `an API key. ${BY_KEY}` : A_SESSION}.`);
};

/** An API key that was sent as a session is the most frequent invalid session of programs. */
const callerOfCookie = async (token: string): Promise<Caller> => {
  if (isTokenForm(token)) throw unauthorized(`An API key is not a session. ${BY_KEY}.`);
  return callerOfSession(token);
};

/**
 * Authenticates the caller. Returns null for public endpoints, where credentials are ignored.
 *
 * @throws ApiError 401 or 403
 */
export const authenticate = async (
  contract: Pick<EndpointContract, 'auth' | 'method'> & Partial<Pick<EndpointContract, 'isForOwnPages'>>,
  event: Pick<HttpEvent, 'headers' | 'cookies'>,
): Promise<Caller | null> => {
  if (contract.isForOwnPages) refuseForeignPage(contract.method, event.headers);
  if (contract.auth === 'public') return null;
  const header = readHeader(event, 'authorization');
  const cookie = header === undefined ? sessionCookie(readCookies(event)) : undefined;
  if (header === undefined && cookie === undefined)
    throw unauthorized(`A credential is needed. ${BY_KEY}, or the session in the cookie ${SESSION_COOKIE}.`);
  let caller: Caller;
  if (header !== undefined) caller = await callerOfToken(header);
  else {
    caller = await callerOfCookie(cookie ?? '');
    refuseForeignPage(contract.method, event.headers);
  }
  if (!ALLOWED[contract.auth].has(caller.kind)) throw refusal(contract.auth, caller.kind);
  return caller;
};

/**
 * Requests a token by client credentials (banks.md §3.2). The API has no refresh token and no request that ends a
 * token.
 */
import { Buffer } from 'node:buffer';
import type { HttpResponse } from '../http/client.ts';
import { reading, unexpected } from '../parsing/results.ts';
import type { JsonObject, SourceIo, UnparsedAnswer } from '../source.ts';
import { findObject, readObject } from './body.ts';
import type { ClientCredentials } from './credentials.ts';
import { ANSWER_BYTES_MAX, KEYS_KEPT_MAX, TOKEN_LIFE_SHARE } from './limits.ts';
import { requireToken } from './refusals.ts';
import { beginSession, type OpenSession, type Token } from './session.ts';
import { GRANT_SCOPE, GRANT_TYPE, TOKEN_URL } from './wire.ts';

export const login = (credentials: ClientCredentials, io: SourceIo): Promise<JsonObject> =>
  beginSession(io, async (open) => {
    open.token = await requestToken(credentials, open, io);
  });

/** Sends exactly one request: a refused secret is never sent again automatically (part 2). */
export const requestToken = (
  credentials: ClientCredentials,
  open: OpenSession,
  io: SourceIo,
  isRenewal = false,
): Promise<Token> => io.login(() => postSecret(credentials, open, io), { isRenewal });

const postSecret = async (
  { clientId, clientSecret }: ClientCredentials,
  { http }: OpenSession,
  io: SourceIo,
): Promise<Token> => {
  const askedMs = io.now();
  const answer = await http.call({
    what: 'token',
    url: TOKEN_URL,
    method: 'POST',
    isLogin: true,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({ grant_type: GRANT_TYPE, scope: GRANT_SCOPE }).toString(),
    bodyBytesMax: ANSWER_BYTES_MAX,
    anyStatus: true,
  });
  requireToken('token', answer, io.now());
  return reading({ call: 'token' }, outlineOf(answer), () => readToken(readObject(answer.body, 'token'), askedMs));
};

/**
 * Returns the part of an unreadable token answer that may be stored. Values are left out, because any value may be a
 * token.
 */
const outlineOf = ({ status, body }: HttpResponse): Pick<UnparsedAnswer, 'contentType' | 'body'> => {
  const keys = Object.keys(findObject(body) ?? {}).slice(0, KEYS_KEPT_MAX);
  const outline = { status, keys: keys.map((key) => (/^[a-z_]{1,40}$/i.test(key) ? key : '?')) };
  return { contentType: 'application/json', body: new TextEncoder().encode(JSON.stringify(outline)) };
};

const readToken = (body: JsonObject, askedMs: number): Token => {
  const fault = (field: string) => unexpected('token', `${field} cannot be read`);
  const { access_token: accessToken, token_type: type, expires_in: lifeSeconds } = body;
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) throw fault('access_token');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') throw fault('token_type');
  if (lifeSeconds === undefined || lifeSeconds === null) return { accessToken, renewAtMs: null };
  const seconds = typeof lifeSeconds === 'number' ? lifeSeconds : Number(/^\d{1,9}$/.exec(String(lifeSeconds))?.[0]);
  if (!Number.isFinite(seconds) || seconds <= 0) throw fault('expires_in');
  return { accessToken, renewAtMs: askedMs + seconds * 1000 * TOKEN_LIFE_SHARE };
};

import type { PresentedClient } from '#shared/agents/authenticate-client.ts';
import { GrantConflict } from '#shared/agents/grant.store.ts';
import { type Exchanged, redeemCode, refreshTokens } from '#shared/agents/issue-tokens.ts';
import type { RequestSource } from '#shared/audit/audit.rules.ts';
import { type ProtocolAnswer, type ProtocolLogic, protocolEndpoint } from '#shared/http/protocol-endpoint.ts';
import { QuotaSpent } from '#shared/table/minute-quota.ts';
import { oauthError, parseForm, required } from '../oauth-answers.ts';
import { readPresentedClient, refuseClient } from '../presented-client.ts';
import { contract } from './contract.ts';

type TokenForm = ReadonlyMap<string, string>;

type Granting = (form: TokenForm, client: PresentedClient, source: RequestSource) => Promise<Exchanged>;

const GRANT_TYPES: Readonly<Record<string, Granting>> = {
  authorization_code: (form, client, source) => {
    const presented = {
      ...client,
      redirectUri: form.get('redirect_uri'),
      verifier: required(form, 'code_verifier'),
      resource: form.get('resource'),
    };
    return redeemCode(required(form, 'code'), presented, source);
  },
  refresh_token: (form, client, source) =>
    refreshTokens(required(form, 'refresh_token'), { ...client, resource: form.get('resource') }, source),
};

/**
 * Refuses a request when concurrent requests keep changing the grant, or when the client refreshes too often. The grant
 * is unchanged, so the client may retry soon.
 */
const refuseBusy = (error: unknown): never => {
  if (error instanceof GrantConflict)
    throw oauthError('temporarily_unavailable', 'too many requests for one grant at once: try again', { status: 503 });
  if (error instanceof QuotaSpent)
    throw oauthError('temporarily_unavailable', 'too many refreshes of one grant in this minute', {
      status: 429,
      headers: { 'retry-after': String(error.quota.seconds) },
    });
  throw error;
};

const answerOf = (exchanged: Exchanged): ProtocolAnswer => {
  if (exchanged.kind === 'refused') throw oauthError(exchanged.error, exchanged.description);
  const { accessToken, expiresInSeconds, scope, refreshToken } = exchanged.issued;
  return {
    status: 200,
    body: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      scope,
      ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    },
  };
};

export const exchangeToken: ProtocolLogic = async (request) => {
  const form = parseForm(request);
  const grantType = required(form, 'grant_type');
  if (!Object.hasOwn(GRANT_TYPES, grantType))
    throw oauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  const exchanged = GRANT_TYPES[grantType]!(form, readPresentedClient(form), request.source);
  return answerOf(await exchanged.catch(refuseClient).catch(refuseBusy));
};

export const handler = protocolEndpoint(contract, exchangeToken);

/**
 * Applications as the authorization server sees them, in process: they register, request authorization, redeem,
 * refresh, revoke.
 */
import { createHash, randomBytes } from 'node:crypto';
import { contract as decideContract } from '#functions/api/oauth/decide-authorization/contract.ts';
import { handler as decideHandler } from '#functions/api/oauth/decide-authorization/handler.ts';
import { handler as exchangeHandler } from '#functions/api/oauth/exchange-token/handler.ts';
import { contract as listContract } from '#functions/api/oauth/list-grants/contract.ts';
import { handler as listHandler } from '#functions/api/oauth/list-grants/handler.ts';
import { handler as registerHandler } from '#functions/api/oauth/register-client/handler.ts';
import { contract as reviewContract } from '#functions/api/oauth/review-authorization/contract.ts';
import { handler as reviewHandler } from '#functions/api/oauth/review-authorization/handler.ts';
import { handler as revokeTokenHandler } from '#functions/api/oauth/revoke-token/handler.ts';
import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import type { HttpHandler } from '#shared/http/endpoint.ts';
import type { Credential } from './callers.ts';
import { type Answered, answered, call, eventOf } from './http.ts';

/** The origin that `useSharedSecretIssuer` sets. */
export const ORIGIN = 'https://app.test';
export const RESOURCE = `${ORIGIN}/api/mcp`;
export const REDIRECT = 'https://agent.test/callback?tenant=1';

export interface Application {
  clientId: string;
  redirectUri: string;
  verifier: string;
}

export type Parameters = Readonly<Record<string, string | undefined>>;

const given = (parameters: Parameters): [string, string][] =>
  Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);

export const formEvent = (path: string, body: string, headers: Record<string, string> = {}) =>
  eventOf({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  });

const post = (handler: HttpHandler, path: string, parameters: Parameters): Promise<Answered> =>
  answered(handler, formEvent(path, new URLSearchParams(given(parameters)).toString()));

export const sendToken = (parameters: Parameters): Promise<Answered> =>
  post(exchangeHandler, AGENT_PATHS.token, parameters);

export const sendRevocation = (parameters: Parameters): Promise<Answered> =>
  post(revokeTokenHandler, AGENT_PATHS.revoke, parameters);

export const register = (metadata: unknown): Promise<Answered> =>
  answered(registerHandler, eventOf({ method: 'POST', path: AGENT_PATHS.register, body: metadata }));

export const newVerifier = (): string => randomBytes(32).toString('base64url');
export const challengeFor = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** A new application, with refresh tokens unless `changes` say otherwise. */
export const anApplication = async (changes: object = {}): Promise<Application> => {
  const metadata = {
    client_name: 'Agent',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    ...changes,
  };
  const { body } = await register(metadata);
  return { clientId: body.client_id, redirectUri: body.redirect_uris[0], verifier: newVerifier() };
};

export const queryOf = ({ clientId, redirectUri, verifier }: Application, changes: Parameters = {}): string =>
  new URLSearchParams(
    given({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: challengeFor(verifier),
      code_challenge_method: 'S256',
      state: 'the-state',
      ...changes,
    }),
  ).toString();

export const review = (person: Credential, query: string): Promise<Answered> =>
  call(reviewContract, reviewHandler, { ...person, body: { query } });

export const decide = (person: Credential, body: object): Promise<Answered> =>
  call(decideContract, decideHandler, { ...person, body });

/** The address to which the browser is redirected after the person allowed the access. */
export const allow = async (person: Credential, query: string): Promise<URL> => {
  const { digest } = (await review(person, query)).body.data;
  const answer = await decide(person, { query, digest, decision: 'allow' });
  if (answer.status !== 200) throw new Error(answer.text);
  return new URL(answer.body.data.redirect_to);
};

export const codeFor = async (
  person: Credential,
  application: Application,
  changes: Parameters = {},
): Promise<string> => (await allow(person, queryOf(application, changes))).searchParams.get('code')!;

export const redeem = (application: Application, code: string, changes: Parameters = {}): Promise<Answered> =>
  sendToken({
    grant_type: 'authorization_code',
    code,
    client_id: application.clientId,
    redirect_uri: application.redirectUri,
    code_verifier: application.verifier,
    ...changes,
  });

export const refresh = (application: Application, token: string, changes: Parameters = {}): Promise<Answered> =>
  sendToken({ grant_type: 'refresh_token', refresh_token: token, client_id: application.clientId, ...changes });

export interface Tokens {
  access: string;
  refresh: string;
}

export const tokensOf = ({ body }: Answered): Tokens => ({ access: body.access_token, refresh: body.refresh_token });

/** From the authorization request to the first tokens. */
export const tokensFor = async (person: Credential, application: Application): Promise<Tokens> =>
  tokensOf(await redeem(application, await codeFor(person, application)));

export const grantsOf = async (person: Credential): Promise<Answered['body'][]> =>
  (await call(listContract, listHandler, person)).body.data;

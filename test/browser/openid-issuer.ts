/**
 * An OpenID issuer on loopback: discovery, authorization code with PKCE (S256, checked), and tokens that the local
 * stack's API accepts because its own secret signs them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { signSession } from '#tools/local/development-session.ts';
import type { DevelopmentIssuer } from '#tools/local/overlay.ts';

const HOUR_MS = 3_600_000;

export interface OpenIdIssuer {
  url: string;
  /** On another origin, where codes are exchanged, as at Cognito (its documents). */
  tokensUrl: string;
  /** Number of token requests with a wrong verifier or an unknown code. */
  refusals: number;
  close(): Promise<void>;
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
  response.end(JSON.stringify(body));
};

/** Resolves with the origin. */
const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const end = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** @param nowMs the stack's clock, which may be ahead of the machine's */
export const startIssuer = async (
  issuer: DevelopmentIssuer,
  organizationId: string,
  nowMs: () => number,
): Promise<OpenIdIssuer> => {
  const challenges = new Map<string, string>();
  const state: OpenIdIssuer = { url: '', tokensUrl: '', refusals: 0, close: async () => {} };

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const code = randomUUID();
    if (query.get('code_challenge_method') !== 'S256') return void json(response, 400, { error: 'invalid_request' });
    challenges.set(code, query.get('code_challenge') ?? '');
    const back = new URL(query.get('redirect_uri') ?? '');
    back.search = String(new URLSearchParams({ code, state: query.get('state') ?? '' }));
    response.writeHead(302, { location: back.href }).end();
  };

  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await textOf(request));
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenges.get(form.get('code') ?? '') !== challenge) {
      state.refusals++;
      return json(response, 400, { error: 'invalid_grant' });
    }
    challenges.delete(form.get('code') ?? '');
    const expiresAt = new Date(nowMs() + HOUR_MS).toISOString();
    const id_token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(state.url)
      .setAudience('dashboard')
      .setSubject('user-1')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(issuer.secret));
    const access_token = await signSession(issuer, organizationId, expiresAt);
    json(response, 200, { access_token, id_token, token_type: 'Bearer', expires_in: HOUR_MS / 1000, scope: 'openid' });
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', state.url);
    if (pathname === '/authorize') return authorize(searchParams, response);
    json(response, 200, {
      issuer: state.url,
      authorization_endpoint: `${state.url}/authorize`,
      token_endpoint: `${state.tokensUrl}/token`,
      jwks_uri: `${state.url}/jwks`,
    });
  });
  const tokens = createServer((request, response) => void token(request, response));
  [state.url, state.tokensUrl] = [await listen(server), await listen(tokens)];
  state.close = async () => void (await Promise.all([end(server), end(tokens)]));
  return state;
};

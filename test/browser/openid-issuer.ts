/**
 * An OpenID issuer on loopback: discovery, authorization code with PKCE (S256, checked), tokens that the local stack's
 * API accepts because its own secret signs them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { signSession } from '#infra/local/development-session.ts';
import type { DevelopmentIssuer } from '#infra/local/overlay.ts';

const HOUR_MS = 3_600_000;

export interface OpenIdIssuer {
  url: string;
  /** What the token endpoint was asked with a wrong verifier, or no code of ours. */
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

/** @param nowMs the stack's clock, which may be ahead of the machine's */
export const startIssuer = async (
  issuer: DevelopmentIssuer,
  organizationId: string,
  nowMs: () => number,
): Promise<OpenIdIssuer> => {
  const challenges = new Map<string, string>();
  const state: OpenIdIssuer = { url: '', refusals: 0, close: async () => {} };

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
    if (pathname === '/token') return void token(request, response);
    json(response, 200, {
      issuer: state.url,
      authorization_endpoint: `${state.url}/authorize`,
      token_endpoint: `${state.url}/token`,
      jwks_uri: `${state.url}/jwks`,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;
};

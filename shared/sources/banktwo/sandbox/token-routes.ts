/** `POST /oauth2/token` (banks.md §3.2). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerLoginWithLie } from '../../sandbox-kit/lies.ts';
import { countUp } from '../../sandbox-kit/memory.ts';
import type { SandboxClient } from './credentials.ts';
import { refuse, retryAfter, throttled } from './refusals.ts';
import { countMinute, type State } from './state.ts';

const SHORT_SECONDS = 20;

export const registerTokenRoutes = (app: FastifyInstance, state: State): void => {
  app.post('/oauth2/token', (request, reply) => {
    const { id, secret } = parseBasic(request.headers.authorization);
    if (id !== undefined) countUp(state.logins, id);
    const minute = countMinute(state, `token|${id}`, state.knobs.tokensPerMinute);
    if (minute.isExceeded) return throttled(reply, minute);
    const client = id === undefined ? undefined : state.clients.get(id);
    const isRight = client !== undefined && secret === client.credentials.client_secret;
    const lie = answerLoginWithLie(reply, client?.behaviour);
    if (lie) return lie;
    if (client?.behaviour === 'maintenance')
      return refuse(retryAfter(reply, 1), 503, 'MAINTENANCE', 'Mantención programada');
    if (!client || !isRight || client.behaviour === 'wrong_password')
      return oauthError(reply.header('www-authenticate', 'Basic'), 401, 'invalid_client');
    return issueToken(request, reply, state, client);
  });
};

const issueToken = (
  request: FastifyRequest,
  reply: FastifyReply,
  state: State,
  client: SandboxClient,
): FastifyReply => {
  const form = request.body;
  if (typeof form !== 'object' || form === null || !isForm(request)) return oauthError(reply, 400, 'invalid_request');
  const { grant_type: grant, scope } = form as Record<string, string>;
  if (grant !== 'client_credentials' || scope !== 'accounts.read' || client.behaviour === 'scope_refused')
    return oauthError(reply, 400, 'invalid_scope');
  if (client.behaviour === 'grant_refused') return oauthError(reply, 400, 'unauthorized_client');
  const isShort = client.behaviour === 'short_token';
  const seconds = isShort ? SHORT_SECONDS : state.knobs.tokenSeconds;
  const { token } = state.tokens.issue(client.credentials.client_id, seconds);
  const lifeSeconds = isShort ? String(seconds) : seconds;
  return reply
    .header('cache-control', 'no-store')
    .send({ access_token: token, token_type: 'Bearer', expires_in: lifeSeconds, scope: 'accounts.read' });
};

const isForm = (request: FastifyRequest): boolean =>
  (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');

export const parseBasic = (authorization: string | undefined): { id?: string; secret?: string } => {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return {};
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? {} : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
};

const oauthError = (reply: FastifyReply, status: number, error: string) => reply.code(status).send({ error });
